/** The desk's worker thread: the core and its SQLite file, so that a slow slice holds up no other work of the process. */
import { randomFillSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { Core } from '../../wasm/core.ts';
import { serveCore } from '../../wasm/core_port.ts';
import type { Glue, Host } from '../../wasm/instance.ts';
import { NodeStore } from './node_store.ts';
import type { WorkerSettings } from './watched_core.ts';

if (!parentPort) throw new Error('core_worker.ts runs as a worker thread');
const port = parentPort;
const settings = workerData as WorkerSettings;

const host: Host = {
  nowMs: () => Date.now(),
  randomBytes: (into) => void randomFillSync(into),
  log: (line) => {
    if (settings.verbose) process.stderr.write(`${line}\n`);
  },
};

try {
  const store = new NodeStore(settings.file);
  const { default: glue } = (await import(settings.glue)) as { default: Glue };
  serveCore(
    { postMessage: (message) => port.postMessage(message), onMessage: (listener) => port.on('message', listener) },
    (home) => {
      const turnBegan = new Float64Array(settings.turnBegan);
      return new Core({
        module: { glue, wasm: settings.wasm },
        store,
        host,
        home,
        limits: settings.limits,
        memoryBytesMax: settings.memoryBytesMax,
        turns: { began: () => (turnBegan[0] = Date.now()), ended: () => (turnBegan[0] = 0) },
      });
    },
  );
  port.postMessage({ kind: 'opened' });
} catch (error) {
  port.postMessage({ kind: 'refused', name: (error as Error).name, message: (error as Error).message });
}

/**
 * WatchedCore: the desk's core in a worker thread, killed and started again when one turn takes longer than it may. The file
 * is whole whenever that happens, since SQLite undoes what was not committed.
 */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { type Answer, type Caller, type CallOptions, type CoreApi, failed, type ToolList } from '../../wasm/core.ts';
import { RemoteCore } from '../../wasm/core_port.ts';
import type { Home } from '../../wasm/home.ts';
import type { JsonObject, Limits } from '../../wasm/instance.ts';
import { StoreBusy } from './node_store.ts';

const moduleFolder = new URL('../../build/wasm/', import.meta.url);

export interface DeskOptions {
  file: string;
  home: Home;
  limits?: Limits;
  /** How far the module's memory may grow; the engine's own limit is half of it. */
  memoryBytesMax?: number;
  /** A turn that takes longer is stopped by ending the worker. */
  turnMsMax?: number;
  verbose?: boolean;
  /** Which module of build/wasm: "stele" but in tests. */
  moduleName?: string;
}

export interface WorkerSettings {
  file: string;
  glue: string;
  wasm: WebAssembly.Module;
  limits: Limits;
  memoryBytesMax: number;
  verbose: boolean;
  /** A Float64Array of one: when the turn that is running began, or 0. */
  turnBegan: SharedArrayBuffer;
}

const memoryBytesMaxDefault = 1 << 30;
const turnMsMaxDefault = 60_000;

class TurnTooLong extends Error {}

interface Running {
  worker: Worker;
  core: RemoteCore;
  watch: NodeJS.Timeout;
  ended: boolean;
}

export class WatchedCore implements CoreApi {
  #options: DeskOptions;
  #wasm: Promise<WebAssembly.Module> | undefined;
  #starting: Promise<Running> | undefined;
  #closed = false;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Opens the file. Throws StoreBusy if another process holds it. */
  async open(): Promise<void> {
    await this.#running();
  }

  async tools(): Promise<ToolList> {
    return (await this.#running()).core.tools();
  }

  async receipt(id: string): Promise<JsonObject | null> {
    return (await this.#running()).core.receipt(id);
  }

  async shared(token: string): Promise<{ table: string; version: number } | null> {
    return (await this.#running()).core.shared(token);
  }

  async makePrivate(table: string): Promise<void> {
    return (await this.#running()).core.makePrivate(table);
  }

  call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#answered((core) => core.call(tool, args, caller, options));
  }

  view(name: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#answered((core) => core.view(name, args, caller, options));
  }

  async #answered(ask: (core: RemoteCore) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask((await this.#running()).core);
    } catch (error) {
      if (error instanceof TurnTooLong) {
        return failed(
          'time_limit',
          'The engine was busy with one piece of work for too long and was started anew. What had been committed is whole.',
          'Make the query smaller: filter earlier, avoid cross joins. After a write, look at table_history before repeating it.',
        );
      }
      return failed('internal', `The engine could not be reached: ${String(error)}`, 'Call again.');
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#starting) await this.#end(await this.#starting, new Error('The desk was closed.'));
  }

  #running(): Promise<Running> {
    if (this.#closed) return Promise.reject(new Error('The desk was closed.'));
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async #start(): Promise<Running> {
    const { moduleName = 'stele' } = this.#options;
    this.#wasm ??= readFile(new URL(`${moduleName}.wasm`, moduleFolder)).then((bytes) => WebAssembly.compile(bytes));
    const { file, home, limits = {}, memoryBytesMax = memoryBytesMaxDefault, verbose = false } = this.#options;
    const turnBegan = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
    const settings: WorkerSettings = {
      file,
      glue: new URL(`${moduleName}.mjs`, moduleFolder).href,
      wasm: await this.#wasm,
      limits: { memory_bytes: memoryBytesMax / 2, ...limits },
      memoryBytesMax,
      verbose,
      turnBegan,
    };
    const worker = new Worker(new URL('./core_worker.ts', import.meta.url), {
      workerData: settings,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    await opened(worker, file);
    const core = new RemoteCore(
      {
        postMessage: (message) => worker.postMessage(message),
        onMessage: (listener) => worker.on('message', listener),
      },
      home,
    );
    const running: Running = {
      worker,
      core,
      watch: this.#watch(new Float64Array(turnBegan), () => running),
      ended: false,
    };
    worker.once('error', (error) => void this.#end(running, error));
    return running;
  }

  #watch(turnBegan: Float64Array, running: () => Running): NodeJS.Timeout {
    const turnMsMax = this.#options.turnMsMax ?? turnMsMaxDefault;
    const look = () => {
      const began = turnBegan[0] ?? 0;
      if (began > 0 && Date.now() - began > turnMsMax) void this.#end(running(), new TurnTooLong());
    };
    return setInterval(look, Math.min(1000, turnMsMax / 4)).unref();
  }

  async #end(running: Running, reason: Error): Promise<void> {
    if (running.ended) return;
    running.ended = true;
    clearInterval(running.watch);
    // The next call waits for the old worker's end, which gives the file back.
    const ended = running.worker.terminate();
    this.#starting = ended.then(() => {
      this.#starting = undefined;
      return this.#running();
    });
    this.#starting.catch(() => {});
    running.core.close(reason);
    await ended;
  }
}

function opened(worker: Worker, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (message: { kind: string; name?: string; message?: string }) => {
      worker.off('error', reject);
      if (message.kind === 'opened') return resolve();
      void worker.terminate();
      reject(message.name === 'StoreBusy' ? new StoreBusy(file, undefined) : new Error(message.message));
    });
  });
}

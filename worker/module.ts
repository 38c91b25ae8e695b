/** The module's two files as the build lays them beside the worker. */
import glue from '../build/wasm/stele.mjs';
import wasmUrl from '../build/wasm/stele.wasm.gz?url';
import sqliteWasmUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import type { Module } from '../wasm/instance.ts';

export { sqliteWasmUrl };

/** In a worker of its own: unpacking keeps a thread busy, and the store can be opened meanwhile. */
export async function loadModule(): Promise<Module> {
  const worker = new Worker(new URL('./module_worker.ts', import.meta.url), { type: 'module' });
  try {
    const compiled = await new Promise<WebAssembly.Module | string>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as WebAssembly.Module | string);
      worker.onerror = (event) => reject(new Error(`the engine could not be loaded: ${event.message}`));
      worker.postMessage(new URL(wasmUrl, self.location.href).href);
    });
    if (typeof compiled === 'string') throw new Error(compiled);
    return { glue, wasm: compiled };
  } finally {
    worker.terminate();
  }
}

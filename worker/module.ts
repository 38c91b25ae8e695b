/** The module's two files as the build lays them beside the worker. */
import glue from '../build/wasm/stele.mjs';
import sqliteWasmUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import type { Module } from '../wasm/instance.ts';
import { startModuleWorker } from './module_loader.ts';

export { sqliteWasmUrl };

/** From the worker that the page has started for it, or from one that is started now. */
export async function loadModule(compiling: MessagePort = startModuleWorker()): Promise<Module> {
  const compiled = await new Promise<WebAssembly.Module | string>((resolve) => {
    compiling.onmessage = ({ data }) => resolve(data as WebAssembly.Module | string);
  });
  if (typeof compiled === 'string') throw new Error(compiled);
  return { glue, wasm: compiled };
}

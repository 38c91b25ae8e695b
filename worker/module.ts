/** The module's two files as the build lays them beside the worker: compiled while they arrive. */
import glue from '../build/wasm/stele.mjs';
import wasmUrl from '../build/wasm/stele.wasm.gz?url';
import sqliteWasmUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import type { Module } from '../wasm/instance.ts';

export { sqliteWasmUrl };

/** Static hosts stop at 25 MiB a file, so the module travels compressed and is unpacked here. */
export async function loadModule(): Promise<Module> {
  const response = await fetch(wasmUrl);
  if (!response.ok || !response.body) throw new Error(`the engine could not be loaded (${response.status})`);
  // Some hosts name the compression as the transfer's, and then the browser has undone it already.
  const packed = response.headers.get('content-encoding') === null;
  const body = packed ? response.body.pipeThrough(new DecompressionStream('gzip')) : response.body;
  const wasm = await WebAssembly.compileStreaming(
    new Response(body, { headers: { 'content-type': 'application/wasm' } }),
  );
  return { glue, wasm };
}

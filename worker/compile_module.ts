/** Static hosts stop at 25 MiB a file, so the module travels compressed and is unpacked here, compiled while it arrives. */
export async function compileModule(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`the engine could not be loaded (${response.status})`);
  // Some hosts name the compression as the transfer's, and then the browser has undone it already.
  const packed = response.headers.get('content-encoding') === null;
  const body = packed ? response.body.pipeThrough(new DecompressionStream('gzip')) : response.body;
  return WebAssembly.compileStreaming(new Response(body, { headers: { 'content-type': 'application/wasm' } }));
}

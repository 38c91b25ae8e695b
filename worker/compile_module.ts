/** Static hosts stop at 25 MiB a file, so the module travels compressed and is unpacked here, compiled while it arrives. */
export async function compileModule(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(await unpacked(url));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // A busy Chromium now and then loses the unpacked stream on its way to the compiler ("Failed to read from a
    // ReadableStream"): once more, as a whole.
    return WebAssembly.compile(await (await unpacked(url)).arrayBuffer());
  }
}

async function unpacked(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`the engine could not be loaded (${response.status})`);
  // Some hosts name the compression as the transfer's, and then the browser has undone it already.
  const packed = response.headers.get('content-encoding') === null;
  const body = packed ? response.body.pipeThrough(new DecompressionStream('gzip')) : response.body;
  return new Response(body, { headers: { 'content-type': 'application/wasm' } });
}

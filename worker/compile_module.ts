/** Static hosts stop at 25 MiB a file, so the module travels compressed and is unpacked here, compiled while it arrives. */
export async function compileModule(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(await unpacked(url, 'default'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // A cache too full or too small for such a file breaks off the fetch that it was to keep (ERR_CACHE_WRITE_FAILURE, seen
    // where the service worker fetched it at the same time): once more, past the cache.
    return WebAssembly.compileStreaming(await unpacked(url, 'no-store'));
  }
}

async function unpacked(url: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(url, { cache });
  if (!response.ok || !response.body) throw new Error(`the engine could not be loaded (${response.status})`);
  // Some hosts name the compression as the transfer's, and then the browser has undone it already.
  const packed = response.headers.get('content-encoding') === null;
  const body = packed ? response.body.pipeThrough(new DecompressionStream('gzip')) : response.body;
  return new Response(body, { headers: { 'content-type': 'application/wasm' } });
}

/** Static hosts stop at 25 MiB a file, so the module travels compressed and is unpacked here, compiled while it arrives. */
import { unpacked } from './unpacked.ts';

export async function compileModule(url: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(await fetched(url, 'default'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // A cache too full or too small for such a file breaks off the fetch that it was to keep (ERR_CACHE_WRITE_FAILURE, seen
    // where the service worker fetched it at the same time): once more, past the cache.
    return WebAssembly.compileStreaming(await fetched(url, 'no-store'));
  }
}

/** What the service worker keeps is unpacked already. */
async function fetched(url: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(url, { cache });
  if (!response.ok) throw new Error(`the engine could not be loaded (${response.status})`);
  return unpacked(response);
}

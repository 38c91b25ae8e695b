/** The module's file as the pages' host sends it, compressed, made the module itself. */

export const moduleType = 'application/wasm';

/** Some hosts name the compression as the transfer's, and then the browser has undone it already. */
export function unpacked(response: Response): Response {
  const { body, headers } = response;
  if (!body || headers.get('content-type') === moduleType) return response;
  const isPacked = headers.get('content-encoding') === null;
  const bytes = isPacked ? body.pipeThrough(new DecompressionStream('gzip')) : body;
  return new Response(bytes, { headers: { 'content-type': moduleType } });
}

/** The files that pages link to, from the assets binding. Their types are said here, whatever serves them. */
import { notFound } from '../handler/refusals.ts';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

export async function asset(request: Request, assets: Fetcher): Promise<Response> {
  const type = types[new URL(request.url).pathname.split('.').at(-1) ?? ''];
  if (type === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return notFound();
  const found = await assets.fetch(request);
  if (!found.ok && found.status !== 304) return notFound();
  const headers = new Headers(found.headers);
  headers.set('content-type', type);
  headers.set('x-content-type-options', 'nosniff');
  headers.set('cache-control', 'max-age=300');
  // The frame of a receipt is for our own pages.
  headers.set('content-security-policy', "frame-ancestors 'self'");
  // A page of any origin may embed a table.
  headers.set('access-control-allow-origin', '*');
  return new Response(found.body, { status: found.status, headers });
}

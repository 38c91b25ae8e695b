/** Pages as responses: strict about where scripts and styles come from, and asked for anew each time unless they say otherwise. */
import type { Html } from '../../wasm/html.ts';

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// What is shared can be made private, and must then be gone at once.
export const fresh = { 'cache-control': 'no-store' };

export function htmlResponse(page: Html, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(page.text, {
    status,
    headers: {
      ...fresh,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

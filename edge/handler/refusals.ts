/** Refusals of a request as such, before any tool is asked: the same kind, message and hint that tools answer, as JSON. */

export function refusal(
  status: number,
  error: string,
  message: string,
  hint: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error, message, hint }, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

export function notFound(): Response {
  return refusal(
    404,
    'not_found',
    'There is nothing at this address.',
    'Check the address; a token is for one workspace alone.',
  );
}

export function tooLarge(bytesMax: number): Response {
  return refusal(
    413,
    'too_large',
    `The request's body is larger than ${bytesMax} bytes.`,
    'Send fewer rows a call, or put the file on the web and use import_table.',
  );
}

export function tooMany(retryAfterS: number): Response {
  return refusal(
    429,
    'rate_limit',
    'Too many requests in a short time.',
    `Wait ${retryAfterS} s, then go on more slowly.`,
    {
      'retry-after': String(retryAfterS),
    },
  );
}

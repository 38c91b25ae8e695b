/** Between node:http and a fetch handler: a Request from what came in, a Response out, the client's leaving as an abort. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

export type FetchHandler = (request: Request) => Promise<Response>;

export function nodeListener(handler: FetchHandler, onError: (error: unknown) => void) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void serve(handler, incoming, outgoing).catch((error: unknown) => {
      onError(error);
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' }).end('The server failed.');
      else outgoing.destroy();
    });
  };
}

async function serve(handler: FetchHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  outgoing.once('close', () => leaving.abort());
  const response = await handler(requestOf(incoming, leaving.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  outgoing.flushHeaders();
  // A client that leaves mid-stream is no failure of ours.
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing).catch(() => {});
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2)
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!);
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit);
}

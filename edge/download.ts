/**
 * What every download of a file keeps to, whatever opens the connections: http and https only, no user name in the URL, each
 * redirect checked like the first URL, bounds on size and time. What a refusal says does not tell an open port from a closed one.
 */
import { checkedUrl, type Download, downloadBytesMax, failure, tooLarge } from '../wasm/download.ts';
import { HomeError, type Progress } from '../wasm/home.ts';

export interface DownloadOptions {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Bytes after decompression. */
  bytesMax?: number;
  msMax?: number;
}

/** What one URL answered, redirects not followed. */
export interface Reply {
  status: number;
  reason: string;
  location: string | null;
  contentType: string;
  /** Bytes on the way, as the server announced them; 0 if it did not. */
  contentLength: number;
  /** The bytes, decompressed; progress is the opener's to report, which sees them come in. */
  body(): AsyncIterable<Uint8Array>;
  /** Ends it unread. */
  discard(): void;
}

/** Opens one URL, or throws HomeError if it must not be reached or cannot be. */
export type Open = (url: URL, signal: AbortSignal) => Promise<Reply>;

const redirectsMax = 5;
const defaults = { bytesMax: downloadBytesMax, msMax: 10 * 60_000 };

/** Opens the download; its body throws HomeError if it breaks, is too long or too slow. */
export async function download(url: string, options: DownloadOptions, open: Open): Promise<Download> {
  const { bytesMax, msMax } = { ...defaults, ...options };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(msMax)]);
  const toHomeError = (error: unknown, message: string) =>
    error instanceof HomeError ? error : isTimeout(signal) ? tooSlow(msMax) : failure(message);
  let at = checkedUrl(url);
  for (let redirects = 0; redirects <= redirectsMax; ++redirects) {
    const reply = await open(at, signal).catch((error: unknown) => {
      throw toHomeError(error, `${at.host} could not be reached.`);
    });
    if (isRedirect(reply.status) && reply.location !== null) {
      reply.discard();
      at = checkedUrl(reply.location, at);
      continue;
    }
    if (reply.status !== 200) {
      reply.discard();
      throw failure(`${at.host} answered ${reply.status} ${reply.reason}`.trim() + '.');
    }
    if (reply.contentLength > bytesMax) {
      reply.discard();
      throw tooLarge(bytesMax);
    }
    return { url: at.href, contentType: reply.contentType, body: bounded(reply, bytesMax, toHomeError) };
  }
  throw failure(`${url} redirects more than ${redirectsMax} times.`);
}

export function privateAddress(): HomeError {
  return new HomeError(
    'url_refused',
    'The URL does not lead to a public address.',
    'Give a URL on the public internet, or send the rows with write_table.',
  );
}

async function* bounded(
  reply: Reply,
  bytesMax: number,
  toHomeError: (error: unknown, message: string) => HomeError,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of reply.body()) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
    }
  } catch (error) {
    throw toHomeError(error, 'The download broke off before its end.');
  } finally {
    reply.discard();
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function isTimeout(signal: AbortSignal): boolean {
  return signal.aborted && (signal.reason as Error | undefined)?.name === 'TimeoutError';
}

function tooSlow(msMax: number): HomeError {
  return new HomeError('time_limit', `The download took longer than ${msMax / 1000} s.`, 'Import a smaller file.');
}

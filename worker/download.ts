/**
 * Downloads by the browser's fetch, which reads only what servers let other sites' pages read (CORS). It sends no cookies and
 * no referrer, and it says why a download did not come about as exactly as the browser lets it know.
 */
import { checkedUrl, type Download, downloadBytesMax, failure, tooLarge } from '../wasm/download.ts';
import { HomeError, type Progress } from '../wasm/home.ts';

export interface DownloadOptions {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Bytes after decompression. */
  bytesMax?: number;
  idleMsMax?: number;
  /** Stands in for the network in tests. */
  fetch?: typeof fetch;
}

type Settings = Required<DownloadOptions>;

/** Opens the download; its body throws HomeError if it breaks, is too long or stands still. */
export async function download(text: string, options: DownloadOptions): Promise<Download> {
  const settings: Settings = {
    bytesMax: downloadBytesMax,
    idleMsMax: 30_000,
    fetch: (...request) => globalThis.fetch(...request),
    ...options,
  };
  const url = checkedUrl(text);
  const idle = new IdleTimer(settings.idleMsMax);
  const signal = AbortSignal.any([settings.signal, idle.signal]);
  const request: RequestInit = { signal, credentials: 'omit', referrerPolicy: 'no-referrer' };
  const response = await settings.fetch(url, request).catch(async (error: unknown) => {
    idle.stop();
    settings.signal.throwIfAborted();
    if (idle.signal.aborted) throw stoodStill(url);
    throw await explained(url, error, settings);
  });
  if (!response.ok || !response.body) {
    idle.stop();
    await response.body?.cancel();
    throw failure(`${url.host} answered ${response.status} ${response.statusText}`.trim() + '.');
  }
  if (announcedLength(response) > settings.bytesMax) {
    idle.stop();
    await response.body?.cancel();
    throw tooLarge(settings.bytesMax);
  }
  const contentType = response.headers.get('content-type') ?? '';
  return { url: response.url || url.href, contentType, body: bodyOf(response, url, settings, idle) };
}

/** A page is told of a failed fetch, never why. A second one, whose answer nobody may read, tells a refusal from a silence. */
async function explained(url: URL, error: unknown, { fetch, signal }: Settings): Promise<HomeError> {
  if (url.protocol === 'http:' && globalThis.location?.protocol === 'https:' && !isLoopback(url)) {
    return new HomeError(
      'download_failed',
      'A page that came over https may not read from http.',
      'Give an https URL, or download the file and drop it onto the page.',
    );
  }
  const request: RequestInit = { mode: 'no-cors', signal, credentials: 'omit', referrerPolicy: 'no-referrer' };
  const reached = await fetch(url, request).then(
    () => true,
    () => false,
  );
  return reached
    ? new HomeError(
        'cors_refused',
        `${url.host} answers, but lets no other site's page read this file (CORS).`,
        'Download the file and drop it onto the page, or import it through a desk or an edge, which are no pages.',
      )
    : failure(`${url.host} could not be reached${error instanceof TypeError ? '' : `: ${String(error)}`}.`);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function announcedLength(response: Response): number {
  return Number(response.headers.get('content-length') ?? 0);
}

async function* bodyOf(
  response: Response,
  url: URL,
  { signal, onProgress, bytesMax }: Settings,
  idle: IdleTimer,
): AsyncGenerator<Uint8Array> {
  // Of a compressed body the length is that of its compressed bytes; then it is passed and is no total any more.
  const length = announcedLength(response);
  const reader = response.body!.getReader();
  let done = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const part = await reader.read().catch(() => {
        signal.throwIfAborted();
        throw idle.signal.aborted ? stoodStill(url) : failure('The download broke off before its end.');
      });
      if (part.done) return;
      idle.restart();
      done += part.value.length;
      if (done > bytesMax) throw tooLarge(bytesMax);
      onProgress({ done, total: done > length ? 0 : length, what: 'downloading' });
      yield part.value;
    }
  } finally {
    idle.stop();
    await reader.cancel().catch(() => {});
  }
}

/** Aborts its signal when nothing has come for a while. */
class IdleTimer {
  #ms: number;
  #aborting = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#aborting.abort(), this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function stoodStill(url: URL): HomeError {
  return failure(`${url.host} sent nothing for too long.`);
}

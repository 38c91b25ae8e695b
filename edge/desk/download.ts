/**
 * Downloads over http and https, from allowed addresses only. The address that is checked is the one
 * connected to, at every redirect; what a refusal says does not tell an open port from a closed one.
 */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HomeError, type Progress } from '../../wasm/home.ts';

export interface DownloadOptions {
  /** Which addresses may be connected to; isPublicAddress on the open network. */
  isAllowed(address: string): boolean;
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Bytes after decompression. */
  bytesMax?: number;
  msMax?: number;
  /** Stands in for the resolver in tests. */
  lookup?: typeof dnsLookup;
}

export interface Download {
  url: string;
  contentType: string;
  body: AsyncIterable<Uint8Array>;
}

const redirectsMax = 5;
const idleMsMax = 30_000;
const defaults = { bytesMax: 2 ** 31, msMax: 10 * 60_000, lookup: dnsLookup };

type Settings = Required<DownloadOptions>;

/** Opens the download; its body throws HomeError if it breaks, is too long or too slow. */
export async function download(url: string, options: DownloadOptions): Promise<Download> {
  const settings: Settings = { ...defaults, ...options };
  settings.signal = AbortSignal.any([options.signal, AbortSignal.timeout(settings.msMax)]);
  let at = checkedUrl(url);
  for (let redirects = 0; redirects <= redirectsMax; ++redirects) {
    const response = await get(at, settings);
    const location = response.headers.location;
    if (isRedirect(response.statusCode) && location !== undefined) {
      response.destroy();
      at = checkedUrl(location, at);
      continue;
    }
    if (response.statusCode !== 200) {
      response.destroy();
      throw failure(`${at.host} answered ${response.statusCode} ${response.statusMessage ?? ''}`.trim() + '.');
    }
    return { url: at.href, contentType: response.headers['content-type'] ?? '', body: bodyOf(response, settings) };
  }
  throw failure(`${url} redirects more than ${redirectsMax} times.`);
}

function isRedirect(status: number | undefined): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function checkedUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new HomeError(
      'url_refused',
      `${JSON.stringify(text.slice(0, 200))} is not an http or https URL.`,
      'Give the URL of a file on the web.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new HomeError('url_refused', 'The URL carries a user name or password.', 'Give a URL that needs none.');
  }
  return url;
}

function privateAddress(): HomeError {
  return new HomeError(
    'url_refused',
    'The URL does not lead to a public address.',
    'Give a URL on the public internet, or send the rows with write_table.',
  );
}

function failure(message: string): HomeError {
  return new HomeError('download_failed', message, 'Check the URL in a browser; it must answer the file itself.');
}

function get(url: URL, settings: Settings): Promise<IncomingMessage> {
  // A literal address is connected to without a lookup, so it is checked here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !settings.isAllowed(host)) return Promise.reject(privateAddress());
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      agent: false,
      signal: settings.signal,
      timeout: idleMsMax,
      headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'stele' },
      lookup: checkedLookup(settings),
    });
    request.once('timeout', () => request.destroy(failure(`${url.host} did not answer in time.`)));
    request.once('error', (error) => reject(asHomeError(error, settings, `${url.host} could not be reached.`)));
    request.once('response', resolve);
    request.end();
  });
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** The resolver, refusing a name that has any address which is not allowed. */
function checkedLookup({ isAllowed, lookup }: Settings) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(privateAddress(), []);
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else if (first) callback(null, first.address, first.family);
      else callback(failure(`${hostname} has no address.`), []);
    });
  };
}

async function* bodyOf(response: IncomingMessage, settings: Settings): AsyncGenerator<Uint8Array> {
  const total = Number(response.headers['content-length'] ?? 0);
  let received = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      settings.onProgress({ done: received, total, what: 'downloading' });
      done(null, chunk);
    },
  });
  response.setTimeout(idleMsMax, () => response.destroy(failure('The download stood still for too long.')));
  const decoder = decoderFor(response.headers['content-encoding']);
  // Errors of any stage surface where the last one is read.
  const end: AsyncIterable<Uint8Array> = decoder
    ? pipeline(response, counting, decoder, () => {})
    : pipeline(response, counting, () => {});
  let bytes = 0;
  try {
    for await (const chunk of end) {
      bytes += chunk.length;
      if (bytes > settings.bytesMax) {
        throw new HomeError(
          'too_large',
          `The file is larger than ${settings.bytesMax} bytes.`,
          'Import a smaller part of it.',
        );
      }
      yield chunk;
    }
  } catch (error) {
    throw asHomeError(error, settings, 'The download broke off before its end.');
  } finally {
    response.destroy();
  }
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw failure(`The server sent the unknown content encoding ${JSON.stringify(encoding)}.`);
  }
}

function asHomeError(error: unknown, settings: Settings, message: string): HomeError {
  if (error instanceof HomeError) return error;
  if (settings.signal.aborted && (settings.signal.reason as Error | undefined)?.name === 'TimeoutError') {
    return new HomeError(
      'time_limit',
      `The download took longer than ${settings.msMax / 1000} s.`,
      'Import a smaller file.',
    );
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return failure('The compressed download is incomplete.');
  if (code.startsWith('Z_')) return failure('The compressed download is damaged.');
  return failure(message);
}

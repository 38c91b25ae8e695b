/** The desk's downloads, over node:http: the address that is checked is the one connected to, at every redirect. */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Download, failure } from '../../wasm/download.ts';
import type { HomeError } from '../../wasm/home.ts';
import { isAddress } from '../addresses.ts';
import {
  download as downloadBy,
  type DownloadOptions as CommonOptions,
  privateAddress,
  type Reply,
} from '../download.ts';

export interface DownloadOptions extends CommonOptions {
  /** Which addresses may be connected to; isPublicAddress on the open network. */
  isAllowed(address: string): boolean;
  /** Stands in for the resolver in tests. */
  lookup?: typeof dnsLookup;
}

type Settings = DownloadOptions & Required<Pick<DownloadOptions, 'lookup'>>;

const idleMsMax = 30_000;

export function download(url: string, options: DownloadOptions): Promise<Download> {
  const settings: Settings = { lookup: dnsLookup, ...options };
  return downloadBy(url, options, async (at, signal) => replyOf(await get(at, settings, signal), settings));
}

function replyOf(response: IncomingMessage, settings: Settings): Reply {
  return {
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? '',
    location: response.headers.location ?? null,
    contentType: response.headers['content-type'] ?? '',
    contentLength: Number(response.headers['content-length'] ?? 0),
    body: () => bodyOf(response, settings),
    discard: () => void response.destroy(),
  };
}

function get(url: URL, settings: Settings, signal: AbortSignal): Promise<IncomingMessage> {
  // A literal address is connected to without a lookup, so it is checked here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isAddress(host) && !settings.isAllowed(host)) return Promise.reject(privateAddress());
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      agent: false,
      signal,
      timeout: idleMsMax,
      headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'stele' },
      lookup: checkedLookup(settings),
    });
    request.once('timeout', () => request.destroy(failure(`${url.host} did not answer in time.`)));
    request.once('error', reject);
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
  try {
    // Errors of any stage surface where the last one is read.
    yield* (
      decoder ? pipeline(response, counting, decoder, () => {}) : pipeline(response, counting, () => {})
    ) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw decodingFailure(error) ?? error;
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

function decodingFailure(error: unknown): HomeError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return failure('The compressed download is incomplete.');
  return code.startsWith('Z_') ? failure('The compressed download is damaged.') : undefined;
}

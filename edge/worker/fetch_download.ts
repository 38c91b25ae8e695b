/**
 * The edge's downloads, over fetch. A Worker's network has no private side, and the compatibility flag
 * global_fetch_strictly_public keeps it so; still, literal addresses and names that are private are refused before a fetch.
 */
import type { Progress } from '../../wasm/home.ts';
import { isAddress, isPublicAddress } from '../addresses.ts';
import type { Download } from '../../wasm/download.ts';
import { download, type DownloadOptions, privateAddress, type Reply } from '../download.ts';

/** What an object's 10 GB and its caller's patience leave for one file. */
const bytesMax = 1 << 30;
const msMax = 5 * 60_000;

export interface FetchDownloadOptions extends DownloadOptions {
  /** For local trials: lets it reach addresses that are not public. */
  allowPrivate: boolean;
}

export function fetchDownload(url: string, { allowPrivate, ...options }: FetchDownloadOptions): Promise<Download> {
  return download(url, { bytesMax, msMax, ...options }, async (at, signal) => {
    if (!allowPrivate && !isPublicHost(at.hostname)) throw privateAddress();
    const response = await fetch(at, { redirect: 'manual', signal, headers: { accept: '*/*', 'user-agent': 'stele' } });
    return replyOf(response, options.onProgress);
  });
}

/** Names of one label and those set aside for private use never lead to the public internet. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isAddress(host)) return isPublicAddress(host);
  return (
    host.includes('.') && !/\.(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/.test(`.${host}`)
  );
}

function replyOf(response: Response, onProgress: (progress: Progress) => void): Reply {
  const contentLength = Number(response.headers.get('content-length') ?? 0);
  // What is read here is decompressed: the length announced is not its total then.
  const total = response.headers.has('content-encoding') ? 0 : contentLength;
  return {
    status: response.status,
    reason: response.statusText,
    location: response.headers.get('location'),
    contentType: response.headers.get('content-type') ?? '',
    contentLength,
    async *body() {
      let done = 0;
      for await (const chunk of response.body ?? []) {
        done += chunk.length;
        onProgress({ done, total, what: 'downloading' });
        yield chunk;
      }
    },
    discard: () => void response.body?.cancel().catch(() => {}),
  };
}

/** What downloads are in every home, whatever opens the connections: which URLs may be asked for, and how refusals are worded. */
import { HomeError } from './home.ts';

export interface Download {
  /** Where the bytes came from, after redirects. */
  url: string;
  contentType: string;
  body: AsyncIterable<Uint8Array>;
}

/** Bytes after decompression, unless a home says otherwise. */
export const downloadBytesMax = 2 ** 31;

/** http and https only, no user name in the URL. Throws HomeError. */
export function checkedUrl(text: string, base?: URL): URL {
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

export function failure(message: string): HomeError {
  return new HomeError('download_failed', message, 'Check the URL in a browser; it must answer the file itself.');
}

export function tooLarge(bytesMax: number): HomeError {
  return new HomeError('too_large', `The file is larger than ${bytesMax} bytes.`, 'Import a smaller part of it.');
}

/**
 * The rows of a shared table for programs: GET, HEAD and OPTIONS of its api_url, for every origin. Rows are read a page at a
 * time and sent as they come; a program that has this version already is told so without reading any.
 */
import type { ReadRowsArguments, RowsAnswer } from '../../wasm/views.ts';
import { contentTypes, isBinary, rowRequest, type RowRequest } from './row_request.ts';
import { tooMany } from './refusals.ts';
import { rowEncoder } from './row_encoder.ts';
import type { RowEncoder } from '../../wasm/rows/row_encoder.ts';
import { fileName } from './shared_page.ts';

export interface SharedTable {
  table: string;
  version: number;
  /** Of the version's columns and rows, where the home knows it. */
  digest?: string;
}

/** Answers at most `limit` rows, fewer if they are large. Throws what the core refuses. */
export type ReadRows = (asked: ReadRowsArguments) => Promise<RowsAnswer>;

const rowsPerPage = 2000;

export const forEveryone = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, link, content-disposition, x-truncated',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  // A share can end, and must then be gone: whoever keeps an answer asks before using it again.
  'cache-control': 'private, no-cache',
  vary: 'accept',
};

export function rowsPreflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...forEveryone,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'accept, if-none-match',
      'access-control-max-age': '86400',
    },
  });
}

export function rowsRefusal(status: number, error: string, message: string, hint: string): Response {
  return Response.json({ error, message, hint }, { status, headers: { ...forEveryone, 'cache-control': 'no-store' } });
}

/** A page of another origin hears it too. */
export function tooManyReaders(retryAfterS: number): Response {
  const response = tooMany(retryAfterS);
  response.headers.set('access-control-allow-origin', '*');
  return response;
}

/** `url` is the address as the program knows it, from which the next page's is made. Throws RowRequestError. */
export async function sharedRows(request: Request, url: URL, shared: SharedTable, read: ReadRows): Promise<Response> {
  const asked = rowRequest(url, request.headers.get('accept'));
  const headers = { ...forEveryone, 'content-type': contentTypes[asked.format], etag: etagOf(shared, asked) };
  if (isKnown(request.headers.get('if-none-match'), headers.etag)) return new Response(null, { status: 304, headers });
  return rowsResponse(request, url, shared, asked, read, headers);
}

async function rowsResponse(
  request: Request,
  url: URL,
  { table, version }: SharedTable,
  { format, offset, limit, escapesFormulas, what }: RowRequest,
  read: ReadRows,
  headers: Record<string, string>,
): Promise<Response> {
  const isHead = request.method === 'HEAD';
  const page = (from: number): Promise<RowsAnswer> =>
    read({ ...what, table, version, offset: offset + from, limit: isHead ? 0 : Math.min(limit - from, rowsPerPage) });
  const first = await page(0);
  const end = Math.min(offset + limit, first.total_rows);
  const next = end < first.total_rows && limit > 0 ? pageUrl(url, end) : null;
  if (next !== null) headers.link = `<${next}>; rel="next"`;
  if (format === 'csv' || isBinary(format))
    headers['content-disposition'] = `inline; filename="${fileName(table)}.${format}"`;
  if (isHead) return new Response(null, { headers });
  const facts = { table, version, total_rows: first.total_rows, offset };
  const encoder = rowEncoder({ format, escapesFormulas }, first.columns, facts);
  return new Response(pagesEncoded(first, end - offset, page, encoder, { next }), { headers });
}

/** Reads the next page when the one before was taken. */
function pagesEncoded(
  first: RowsAnswer,
  rowCount: number,
  page: (from: number) => Promise<RowsAnswer>,
  { head, rows: encodedRows, tail }: RowEncoder,
  last: Record<string, unknown>,
): ReadableStream<Uint8Array> {
  let sent = 0;
  let rows: unknown[][] | undefined = first.rows;
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      rows ??= (await page(sent)).rows;
      if (rows.length === 0 && sent < rowCount) throw new Error('a version lost rows');
      if (rows.length > 0) controller.enqueue(encodedRows(rows, sent));
      sent += rows.length;
      rows = undefined;
      if (sent < rowCount) return;
      const end = tail(last);
      if (end.length > 0) controller.enqueue(end);
      controller.close();
    },
  });
}

function etagOf({ version, digest }: SharedTable, { format, escapesFormulas }: RowRequest): string {
  const escape = escapesFormulas ? 'escaped' : undefined;
  return `"${[version, digest?.slice(0, 16), format, escape].filter((part) => part !== undefined).join('-')}"`;
}

/** Compared weakly, as RFC 9110 says for If-None-Match: a proxy that compresses makes an ETag weak. */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

function pageUrl(url: URL, offset: number): string {
  const page = new URL(url);
  page.searchParams.set('offset', String(offset));
  return page.href;
}

/**
 * The rows of a shared table for programs: GET, HEAD and OPTIONS of its api_url, for every origin. Rows are read a page at a
 * time and sent as they come; a program that has this version already is told so without reading any.
 */
import { contentTypes, RowRequestError, rowRequest, type RowRequest, sqlOf } from './row_request.ts';
import { type RowColumn, rowText } from './row_text.ts';

/** What a query answers of it. */
interface Page {
  columns: RowColumn[];
  rows: unknown[][];
}

export interface SharedTable {
  table: string;
  version: number;
  /** Of the version's columns and rows, where the home knows it. */
  digest?: string;
}

/** Runs one SELECT and answers at most `limit` rows, fewer if they are large. Throws what the core refuses. */
export type ReadPage = (sql: string, limit: number) => Promise<Page>;

const rowsPerPage = 500;

const forEveryone = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, link, content-disposition',
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

/** `url` is the address as the program knows it, from which the next page's is made. */
export async function sharedRows(
  request: Request,
  url: URL,
  shared: SharedTable,
  readPage: ReadPage,
): Promise<Response> {
  try {
    const asked = rowRequest(url, request.headers.get('accept'));
    const headers = { ...forEveryone, 'content-type': contentTypes[asked.format], etag: etagOf(shared, asked) };
    if (isKnown(request.headers.get('if-none-match'), headers.etag))
      return new Response(null, { status: 304, headers });
    return await rowsResponse(request, url, shared, asked, readPage, headers);
  } catch (error) {
    if (!(error instanceof RowRequestError)) throw error;
    return rowsRefusal(error.status, error.kind, error.message, error.hint);
  }
}

async function rowsResponse(
  request: Request,
  url: URL,
  shared: SharedTable,
  asked: RowRequest,
  readPage: ReadPage,
  headers: Record<string, string>,
): Promise<Response> {
  const all = sqlOf({ ...asked, select: [], order: [] }, shared.table, shared.version, []);
  const { columns } = await readPage(`${all} LIMIT 0`, 1);
  const sql = sqlOf(
    asked,
    shared.table,
    shared.version,
    columns.map(({ name }) => name),
  );
  if (asked.format === 'csv') headers['content-disposition'] = `inline; filename="${fileName(shared)}.csv"`;
  if (request.method === 'HEAD') return new Response(null, { headers });
  const read = (from: number, count: number) => readPage(`${sql} LIMIT ${count} OFFSET ${asked.offset + from}`, count);
  // One more than is sent tells whether there is a next page, before the headers go.
  const next = nextUrl(url, asked);
  if (asked.limit > 0 && (await read(asked.limit, 1)).rows.length > 0) headers.link = `<${next}>; rel="next"`;
  const first = await read(0, Math.min(asked.limit, rowsPerPage));
  const facts = { table: shared.table, version: shared.version, offset: asked.offset };
  const text = rowText(asked.format, first.columns, facts);
  const tail = () => text.tail(headers.link === undefined ? { next: null } : { next });
  const encoder = new TextEncoder();
  let sent = 0;
  let page: Page | undefined = first;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(text.head)),
    async pull(controller) {
      page ??= await read(sent, Math.min(asked.limit - sent, rowsPerPage));
      if (page.rows.length > 0) controller.enqueue(encoder.encode(text.rows(page.rows, sent)));
      sent += page.rows.length;
      const isLast = page.rows.length === 0 || sent >= asked.limit;
      page = undefined;
      if (!isLast) return;
      controller.enqueue(encoder.encode(tail()));
      controller.close();
    },
  });
  return new Response(body, { headers });
}

function etagOf({ version, digest }: SharedTable, { format }: RowRequest): string {
  return `"${[version, digest?.slice(0, 16), format].filter((part) => part !== undefined).join('-')}"`;
}

/** Compared weakly, as RFC 9110 says for If-None-Match: a proxy that compresses makes an ETag weak. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

function nextUrl(url: URL, { offset, limit }: RowRequest): string {
  const next = new URL(url);
  next.searchParams.set('offset', String(offset + limit));
  return next.href;
}

function fileName({ table }: SharedTable): string {
  return (table.split('/').at(-1) ?? 'table').replaceAll(/[^\w.-]/g, '_');
}

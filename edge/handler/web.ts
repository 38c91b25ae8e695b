/**
 * What a home shows in a browser: pages of tables, shared tables, receipts. A pure fetch handler over the core; who may ask
 * is its caller's to say.
 */
import type { Caller, CoreApi } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { Html } from './html.ts';
import {
  type Described,
  type ListedTable,
  messagePage,
  receiptPage,
  rowsPerPage,
  type Rows,
  sharedPage,
  tablePage,
  tablesPage,
  type VersionShown,
} from './pages.ts';

const rowsPerAnswer = 500;

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A refusal of the core on the way to a page. */
class PageError extends Error {
  readonly status: number;
  readonly answer: JsonObject;

  constructor(answer: JsonObject) {
    super(String(answer.message));
    this.status = /^unknown_/.test(String(answer.error)) ? 404 : 500;
    this.answer = answer;
  }
}

export interface WebOptions {
  core: CoreApi;
  /** Where links begin: an origin, at the edge with the workspace's path. */
  base: string;
  /** A file of the pages by name, or undefined if there is none. */
  asset(name: string, request: Request): Promise<Response | undefined>;
  /** Tables are shown to whoever may read them; shared tables and receipts to whoever has their link. */
  mayRead(request: Request): boolean;
}

export function web({ core, base, asset, mayRead }: WebOptions): (request: Request) => Promise<Response> {
  const at = new URL(base).pathname.replace(/\/$/, '');
  const reader: Caller = { author: 'page', read: true, write: false, share: false, origin: base };

  async function answer<T>(tool: string, args: JsonObject, signal: AbortSignal): Promise<T> {
    const { value, isError } = await core.call(tool, args, reader, { signal });
    if (isError) throw new PageError(value);
    return value as T;
  }

  async function tables(signal: AbortSignal): Promise<Response> {
    const { tables, total } = await answer<{ tables: ListedTable[]; total: number }>(
      'list_tables',
      { limit: 500 },
      signal,
    );
    return htmlResponse(tablesPage(at, tables, total, `${base}/mcp`));
  }

  async function table(path: string, signal: AbortSignal): Promise<Response> {
    const described = await answer<Described>('describe_table', { table: path }, signal);
    const first = await rowsOf(path, described.version, rowsPerPage, 0, signal);
    const { versions } = await answer<{ versions: VersionShown[] }>(
      'table_history',
      { table: path, limit: 100 },
      signal,
    );
    return htmlResponse(tablePage(at, described, first, versions));
  }

  function rowsOf(path: string, version: number, limit: number, offset: number, signal: AbortSignal): Promise<Rows> {
    return answer<Rows>(
      'query',
      { sql: `SELECT * FROM "${path}@${version}" LIMIT ${limit} OFFSET ${offset}`, limit },
      signal,
    );
  }

  async function shared(token: string, signal: AbortSignal): Promise<Response> {
    const found = await core.shared(token);
    if (!found) return notFound(at);
    const first = await rowsOf(found.table, found.version, rowsPerPage, 0, signal);
    return htmlResponse(sharedPage(at, found.table, found.version, first, `${base}/s/${token}/rows`));
  }

  async function sharedRows(token: string, offset: number, signal: AbortSignal): Promise<Response> {
    const found = await core.shared(token);
    if (!found)
      return Response.json(
        { error: 'not_found', message: 'There is no shared table here.' },
        { status: 404, headers: fresh },
      );
    const page = await rowsOf(found.table, found.version, rowsPerAnswer, offset, signal);
    const next = offset + page.rows.length;
    const more = page.rows.length > 0 && (page.rows.length === rowsPerAnswer || page.notice !== undefined);
    const body = {
      ...page,
      version: found.version,
      offset,
      ...(more ? { next: `${base}/s/${token}/rows?offset=${next}` } : {}),
    };
    return Response.json(body, { headers: { ...fresh, 'access-control-allow-origin': '*' } });
  }

  async function receipt(id: string): Promise<Response> {
    const found = await core.receipt(id);
    return found
      ? Response.json(found, { headers: fresh })
      : Response.json({ error: 'not_found' }, { status: 404, headers: fresh });
  }

  async function route(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, first = '', ...rest] = pathname.slice(at.length).split('/');
    const second = rest[0] ?? '';
    const { signal } = request;
    if ((first === '' || first === 't') && !mayRead(request)) return notFound(at);
    switch (first) {
      case '':
        return tables(signal);
      case 'assets':
        return (await asset(second, request)) ?? notFound(at);
      case 't':
        return table(rest.map(decodeURIComponent).join('/'), signal);
      case 's':
        return rest[1] === 'rows'
          ? sharedRows(second, offsetOf(searchParams), signal)
          : rest.length === 1
            ? shared(second, signal)
            : notFound(at);
      case 'r':
        return second.endsWith('.json') ? receipt(second.slice(0, -5)) : htmlResponse(receiptPage(at));
      default:
        return notFound(at);
    }
  }

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    try {
      return await route(request);
    } catch (error) {
      if (error instanceof URIError) return notFound(at);
      if (!(error instanceof PageError)) throw error;
      return htmlResponse(messagePage(at, 'This did not work', error.message, String(error.answer.hint)), error.status);
    }
  };
}

// What is shared can be made private, and must then be gone at once.
const fresh = { 'cache-control': 'no-store' };

export function htmlResponse(page: Html, status = 200): Response {
  return new Response(page.text, {
    status,
    headers: {
      ...fresh,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

function notFound(at: string): Response {
  return htmlResponse(
    messagePage(at, 'Not found', 'There is nothing at this address.', 'A shared table that was made private is gone.'),
    404,
  );
}

function offsetOf(searchParams: URLSearchParams): number {
  const offset = Number(searchParams.get('offset') ?? 0);
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
}

/**
 * What a home shows in a browser: pages of tables, shared tables, receipts. A pure fetch handler over the core; who may ask
 * is its caller's to say.
 */
import type { Described, ListedTable, VersionShown } from '../../wasm/answers.ts';
import type { Caller, CoreApi } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { ReadRowsArguments, RowsAnswer } from '../../wasm/views.ts';
import type { Html } from './html.ts';
import { openApi } from './open_api.ts';
import { messagePage, receiptPage, rowsPerPage, type Rows, sharedPage, tablePage, tablesPage } from './pages.ts';
import { rowsPreflight, rowsRefusal, sharedRows } from './shared_rows.ts';

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
    this.status = statusOf(String(answer.error));
    this.answer = answer;
  }
}

function statusOf(error: string): number {
  if (error === 'unknown_column' || error.startsWith('invalid_')) return 400;
  if (error.startsWith('unknown_')) return 404;
  return ['busy', 'memory_limit', 'out_of_memory', 'time_limit'].includes(error) ? 503 : 500;
}

export interface WebOptions {
  core: CoreApi;
  /** Where links begin: an origin, at the edge with the workspace's path. */
  base: string;
  /** A file of the pages by name, or undefined if there is none. */
  asset(name: string, request: Request): Promise<Response | undefined>;
  /** Tables are shown to whoever may read them; shared tables and receipts to whoever has their link. */
  mayRead(request: Request): boolean;
  /** Of a shared table's version, where the home knows it. */
  digestOf?: (version: number) => string | undefined;
}

export function web({ core, base, asset, mayRead, digestOf }: WebOptions): (request: Request) => Promise<Response> {
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
    const first = await firstRows(path, described.version, signal);
    const { versions } = await answer<{ versions: VersionShown[] }>(
      'table_history',
      { table: path, limit: 100 },
      signal,
    );
    return htmlResponse(tablePage(at, described, first, versions));
  }

  function firstRows(path: string, version: number, signal: AbortSignal): Promise<Rows> {
    const sql = `SELECT * FROM "${path}@${version}" LIMIT ${rowsPerPage}`;
    return answer<Rows>('query', { sql, limit: rowsPerPage }, signal);
  }

  async function shared(token: string, signal: AbortSignal): Promise<Response> {
    const found = await core.shared(token);
    if (!found) return notFound(at);
    const first = await firstRows(found.table, found.version, signal);
    return htmlResponse(sharedPage(found.table, found.version, first, `${base}/s/${token}/rows`));
  }

  async function rows(token: string, request: Request, search: string): Promise<Response> {
    if (request.method === 'OPTIONS') return rowsPreflight();
    const found = await core.shared(token);
    if (!found)
      return rowsRefusal(404, 'not_found', 'There is no shared table here.', 'Ask whoever gave you the link.');
    const digest = digestOf?.(found.version);
    const shared = { ...found, ...(digest === undefined ? {} : { digest }) };
    const url = new URL(`${base}/s/${token}/rows${search}`);
    try {
      return await sharedRows(request, url, shared, (asked) => readRows(asked, request.signal));
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      return rowsRefusal(error.status, String(error.answer.error), error.message, String(error.answer.hint));
    }
  }

  async function readRows(asked: ReadRowsArguments, signal: AbortSignal): Promise<RowsAnswer> {
    const { value, isError } = await core.view('read_rows', { ...asked } as JsonObject, reader, { signal });
    if (isError) throw new PageError(value);
    return value as unknown as RowsAnswer;
  }

  async function receipt(id: string): Promise<Response> {
    const found = await core.receipt(id);
    return found
      ? Response.json(found, { headers: fresh })
      : Response.json({ error: 'not_found' }, { status: 404, headers: fresh });
  }

  async function route(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const [, first = '', ...rest] = pathname.slice(at.length).split('/');
    const second = rest[0] ?? '';
    const { signal } = request;
    if ((first === '' || first === 't') && !mayRead(request)) return notFound(at);
    switch (first) {
      case '':
        return tables(signal);
      case 'openapi.json':
        return Response.json(openApi(base));
      case 'assets':
        return (await asset(second, request)) ?? notFound(at);
      case 't':
        return table(rest.map(decodeURIComponent).join('/'), signal);
      case 's':
        return rest[1] === 'rows'
          ? rows(second, request, search)
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
    const isRows = /\/s\/[^/]+\/rows$/.test(new URL(request.url).pathname);
    if (request.method !== 'GET' && request.method !== 'HEAD' && !(isRows && request.method === 'OPTIONS'))
      return new Response(null, { status: 405, headers: { allow: isRows ? 'GET, HEAD, OPTIONS' : 'GET, HEAD' } });
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
      'x-robots-tag': 'noindex',
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

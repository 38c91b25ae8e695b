/**
 * What a home shows in a browser: pages of tables, shared tables, receipts. A pure fetch handler over the core; who may ask
 * is its caller's to say.
 */
import type { Described, ListedTable, VersionShown } from '../../wasm/answers.ts';
import type { CoreApi } from '../../wasm/core.ts';
import { Asking, PageError } from './asking.ts';
import { openApi } from './open_api.ts';
import { messagePage, receiptPage, rowsPerPage, type Rows, tablePage, tablesPage } from './pages.ts';
import { fresh, htmlResponse } from './responses.ts';
import { type SharedOptions, sharedTable } from './shared_table.ts';

export interface WebOptions extends SharedOptions {
  core: CoreApi;
  /** Where links begin: an origin, at the edge with the workspace's path. */
  base: string;
  /** A file of the pages by name, or undefined if there is none. */
  asset(name: string, request: Request): Promise<Response | undefined>;
  /** Tables are shown to whoever may read them; shared tables and receipts to whoever has their link. */
  mayRead(request: Request): boolean;
}

export function web(options: WebOptions): (request: Request) => Promise<Response> {
  const { core, base, asset, mayRead } = options;
  const at = new URL(base).pathname.replace(/\/$/, '');
  const asking = new Asking(core, base);

  async function tables(signal: AbortSignal): Promise<Response> {
    const { tables, total } = await asking.tool<{ tables: ListedTable[]; total: number }>(
      'list_tables',
      { limit: 500 },
      signal,
    );
    return htmlResponse(tablesPage(at, tables, total, `${base}/mcp`));
  }

  async function table(path: string, signal: AbortSignal): Promise<Response> {
    const described = await asking.tool<Described>('describe_table', { table: path }, signal);
    const sql = `SELECT * FROM "${path}@${described.version}" LIMIT ${rowsPerPage}`;
    const first = await asking.tool<Rows>('query', { sql, limit: rowsPerPage }, signal);
    const { versions } = await asking.tool<{ versions: VersionShown[] }>(
      'table_history',
      { table: path, limit: 100 },
      signal,
    );
    return htmlResponse(tablePage(at, described, first, versions));
  }

  async function receipt(id: string): Promise<Response> {
    const found = await core.receipt(id);
    // Any page may show a receipt whose link its author has.
    const headers = { ...fresh, 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex' };
    return found ? Response.json(found, { headers }) : Response.json({ error: 'not_found' }, { status: 404, headers });
  }

  async function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
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
        return sharedTable(request, options, second, rest.slice(1).join('/'));
      case 'r':
        return second.endsWith('.json') ? receipt(second.slice(0, -5)) : htmlResponse(receiptPage(at));
      default:
        return notFound(at);
    }
  }

  return async (request) => {
    const isForPrograms = /\/s\/[^/]+\/(rows|about)$/.test(new URL(request.url).pathname);
    if (request.method !== 'GET' && request.method !== 'HEAD' && !(isForPrograms && request.method === 'OPTIONS'))
      return new Response(null, {
        status: 405,
        headers: { allow: isForPrograms ? 'GET, HEAD, OPTIONS' : 'GET, HEAD' },
      });
    try {
      return await route(request);
    } catch (error) {
      if (error instanceof URIError) return notFound(at);
      if (!(error instanceof PageError)) throw error;
      return htmlResponse(messagePage(at, 'This did not work', error.message, error.hint), error.status);
    }
  };
}

function notFound(at: string): Response {
  return htmlResponse(
    messagePage(at, 'Not found', 'There is nothing at this address.', 'A shared table that was made private is gone.'),
    404,
  );
}

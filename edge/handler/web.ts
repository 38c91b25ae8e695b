/**
 * What a home shows in a browser: pages of tables, shared tables, receipts. A pure fetch handler over the core; who may ask
 * is its caller's to say.
 */
import type { Described, ListedTable, VersionShown } from '../../wasm/answers.ts';
import type { CoreApi } from '../../wasm/core.ts';
import { Asking, PageError } from './asking.ts';
import { openApi } from './open_api.ts';
import { type Rows, rowsPerPage } from '../../wasm/rows/rows_html.ts';
import { messagePage, tablePage, tablesPage } from './pages.ts';
import { type ReceiptsOptions, receipts } from './receipts.ts';
import { htmlResponse } from './responses.ts';
import { type SharedOptions, sharedTable } from './shared_table.ts';

export interface WebOptions extends SharedOptions, ReceiptsOptions {
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
        return receipts(request, options, rest);
      case 'receipt_view.html':
        return (await asset(first, request)) ?? notFound(at);
      default:
        return notFound(at);
    }
  }

  return async (request) => {
    const allowed = methodsAt(new URL(request.url).pathname);
    if (!allowed.includes(request.method))
      return new Response(null, { status: 405, headers: { allow: allowed.join(', ') } });
    try {
      return await route(request);
    } catch (error) {
      if (error instanceof URIError) return notFound(at);
      if (!(error instanceof PageError)) throw error;
      return htmlResponse(messagePage(at, 'This did not work', error.message, error.hint), error.status);
    }
  };
}

function methodsAt(pathname: string): string[] {
  if (/\/s\/[^/]+\/(rows|about)$/.test(pathname)) return ['GET', 'HEAD', 'OPTIONS'];
  return /\/r\/[^/]+\/rerun$/.test(pathname) ? ['POST'] : ['GET', 'HEAD'];
}

function notFound(at: string): Response {
  return htmlResponse(
    messagePage(at, 'Not found', 'There is nothing at this address.', 'A shared table that was made private is gone.'),
    404,
  );
}

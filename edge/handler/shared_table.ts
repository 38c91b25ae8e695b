/**
 * What is at a shared table's link: its page, its rows for programs, and what is told about it. All of the latest version, for
 * whoever has the link; nothing here knows another table.
 */
import type { CoreApi } from '../../wasm/core.ts';
import { Asking, PageError } from './asking.ts';
import { type Rows, rowsPerPage } from '../../wasm/rows/rows_html.ts';
import { askFacts, type AskTool, type TableFacts } from '../../wasm/table_facts.ts';
import { askProfile } from './shared_facts.ts';
import { RowRequestError, sqlRequest } from './row_request.ts';
import { endedPage, sharedPage } from './shared_page.ts';
import { forEveryone, isKnown, rowsPreflight, rowsRefusal, sharedRows } from './shared_rows.ts';
import { type SqlAllowance, sharedSql } from './shared_sql.ts';
import { htmlResponse } from './responses.ts';

/** What a home that holds nothing but the copy knows of it without asking the core. */
export interface HeldShare {
  token: string;
  facts: TableFacts;
  /** Of the version's columns and rows. */
  digest: string;
}

/** Keeps an answer for as long as its key is asked for; may forget. */
export interface Kept {
  read(key: string): string | undefined;
  write(key: string, text: string): void;
}

export interface SharedOptions {
  core: CoreApi;
  base: string;
  held?: HeldShare;
  kept?: Kept;
  /** Absent where others may bring no SQL of their own. */
  allowance?: SqlAllowance | undefined;
}

/** `rest` is what follows the token in the path. */
export async function sharedTable(
  request: Request,
  { core, base, held, kept, allowance }: SharedOptions,
  token: string,
  rest: string,
): Promise<Response> {
  const asking = new Asking(core, base);
  const { signal } = request;
  const ask: AskTool = (tool, args) => asking.tool(tool, args, signal);
  const url = `${base}/s/${token}`;
  const forPrograms = isForPrograms(rest);
  if (forPrograms && request.method === 'OPTIONS') return rowsPreflight();
  const known = held?.token === token ? held : undefined;
  const shared = known ? known.facts : await core.shared(token);
  if (!shared || (rest !== '' && !forPrograms)) return endedShare(rest);
  const { table, version } = shared;
  const facts = () => (known ? Promise.resolve(known.facts) : askFacts(ask, table, version));

  async function page(): Promise<Response> {
    const told = await facts();
    const allowsSql = allowance !== undefined;
    const etag = `"${version}-${(await digestOf({ ...told, allowsSql })).slice(0, 16)}"`;
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
    const sql = `SELECT * FROM "${table}@${version}" LIMIT ${rowsPerPage}`;
    const first = await ask<Rows>('query', { sql, limit: rowsPerPage });
    return htmlResponse(
      sharedPage({ facts: told, first, url, host: new URL(base).host, etag, allowsSql }),
      200,
      headers,
    );
  }

  async function about(): Promise<Response> {
    const told = await facts();
    const key = `${version}-${(await digestOf(told)).slice(0, 16)}`;
    const headers = { ...forEveryone, 'content-type': 'application/json', etag: `"${key}-about"` };
    if (isKnown(request.headers.get('if-none-match'), headers.etag))
      return new Response(null, { status: 304, headers });
    let text = kept?.read(key);
    if (text === undefined) {
      text = JSON.stringify(await askProfile(ask, told));
      kept?.write(key, text);
    }
    return new Response(request.method === 'HEAD' ? null : text, { headers });
  }

  try {
    switch (rest) {
      case '':
        return await page();
      case 'about':
        return await about();
      case 'rows': {
        const versioned = { table, version, ...(known ? { digest: known.digest } : {}) };
        const asked = new URL(`${url}/rows${new URL(request.url).search}`);
        const sql = sqlRequest(asked, request.headers.get('accept'));
        if (sql) return await sharedSql(request, sql, versioned, asking, allowance);
        return await sharedRows(request, asked, versioned, (wanted) => asking.rows(wanted, signal));
      }
      default:
        return endedShare(rest);
    }
  } catch (error) {
    if (error instanceof RowRequestError) return rowsRefusal(400, 'invalid_request', error.message, error.hint);
    if (!forPrograms || !(error instanceof PageError)) throw error;
    return rowsRefusal(error.status, error.kind, error.message, error.hint);
  }
}

/** Whether the path after a token is for programs, of any origin. */
export function isForPrograms(rest: string): boolean {
  return rest === 'rows' || rest === 'about';
}

/** What whoever has the link of a share that ended is told, be it a program or a person. */
export function endedShare(rest: string): Response {
  return isForPrograms(rest) ? nothingShared() : htmlResponse(endedPage(), 404);
}

function nothingShared(): Response {
  return rowsRefusal(404, 'not_found', 'There is no shared table here.', 'Ask whoever gave you the link.');
}

async function digestOf(facts: object): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

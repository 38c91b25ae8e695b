/**
 * A SELECT of a stranger's over a shared table, where its owner allows that. The engine it runs on holds that table alone; how
 * long it may run and how often is bounded, and an answer is whole or refused.
 */
import type { QueryAnswer } from '../../wasm/answers.ts';
import { type Asking, PageError } from './asking.ts';
import { rowEncoder } from './row_encoder.ts';
import { contentTypes, type SqlRequest } from './row_request.ts';
import { forEveryone, isKnown, rowsRefusal, type SharedTable } from './shared_rows.ts';

/** What an owner allowed: `admit` takes one query from the share's budget, and answers the seconds to wait if it is used up. */
export interface SqlAllowance {
  admit(): number;
}

const runMsMax = 10_000;

export async function sharedSql(
  request: Request,
  { format, escapesFormulas, limit, sql }: SqlRequest,
  { table, version, digest }: SharedTable,
  asking: Asking,
  allowance: SqlAllowance | undefined,
): Promise<Response> {
  if (!allowance)
    return rowsRefusal(
      403,
      'sql_not_allowed',
      'The owner of this table allows no SQL of others.',
      'Use select, where, search and order, or ask the owner to allow it.',
    );
  const parts = [
    version,
    digest?.slice(0, 16),
    await shortDigest(sql),
    limit,
    format,
    escapesFormulas ? 'escaped' : '',
  ];
  const headers: Record<string, string> = {
    ...forEveryone,
    'content-type': contentTypes[format],
    etag: `"${parts.filter((part) => part !== undefined && part !== '').join('-')}"`,
  };
  if (isKnown(request.headers.get('if-none-match'), headers.etag!)) return new Response(null, { status: 304, headers });
  const waitS = allowance.admit();
  if (waitS > 0) return tooManyQueries(waitS);
  const ended = AbortSignal.timeout(runMsMax);
  const answer = await asking
    .tool<QueryAnswer>('query', { sql, limit: Math.max(1, limit) }, AbortSignal.any([request.signal, ended]))
    .catch((error: unknown) => {
      if (ended.aborted && error instanceof PageError) throw tookTooLong();
      throw error;
    });
  const { rows: cutBy, cells = 0, columns_left_out: columnsLeftOut = 0 } = answer.cut ?? {};
  if (cutBy === 'size' || cells > 0 || columnsLeftOut > 0) throw tooLarge();
  const rows = answer.rows.slice(0, limit);
  if (answer.truncated) headers['x-truncated'] = 'true';
  const facts = { table, version, total_rows: rows.length, offset: 0 };
  const encoder = rowEncoder({ format, escapesFormulas }, answer.columns, facts);
  const body = [encoder.head, ...(rows.length > 0 ? [encoder.rows(rows, 0)] : [])];
  body.push(encoder.tail({ truncated: answer.truncated, next: null }));
  return new Response(request.method === 'HEAD' ? null : new Blob(body as Uint8Array<ArrayBuffer>[]), { headers });
}

function tooManyQueries(waitS: number): Response {
  const response = rowsRefusal(
    429,
    'rate_limit',
    'The queries that this table may be asked are used up for now.',
    `Wait ${waitS} s.`,
  );
  response.headers.set('retry-after', String(waitS));
  return response;
}

function tookTooLong(): PageError {
  return new PageError({
    error: 'time_limit',
    message: `The query was ended after ${runMsMax / 1000} s.`,
    hint: 'Filter or aggregate earlier, or download the table and query it yourself.',
  });
}

function tooLarge(): PageError {
  return new PageError({
    error: 'invalid_request',
    message: 'The answer is too large to be given whole.',
    hint: 'Select fewer columns or rows, or shorter parts of long texts.',
  });
}

async function shortDigest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

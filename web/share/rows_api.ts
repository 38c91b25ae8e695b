/**
 * RowsApi: a shared table's rows by its api_url, as row_request.ts reads them. What comes back was written by someone else: it
 * is looked at before it is believed to be rows.
 */
import * as v from 'valibot';
import type { Filter, Order } from '../app/base/address.ts';
import { takesValue } from '../app/base/address.ts';

const answerSchema = v.object({
  table: v.string(),
  version: v.number(),
  total_rows: v.number(),
  columns: v.array(v.object({ name: v.string(), type: v.string() })),
  rows: v.array(v.array(v.unknown())),
});

export type RowsPage = v.InferOutput<typeof answerSchema>;

export interface Wanted {
  columns?: string[];
  filters?: Filter[];
  order?: Order[];
  search?: string;
  offset?: number;
  limit?: number;
}

/** What the server said, in its words. */
export class ApiError extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  /** As tools' refusals are read. */
  get answer(): { error: string; message: string; hint: string } {
    return { error: 'refused', message: this.message, hint: this.hint };
  }
}

const operatorNames: Record<Filter['op'], string> = {
  '=': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  contains: 'contains',
  starts_with: 'starts_with',
  is_null: 'is_null',
  is_not_null: 'is_not_null',
};

/** The address that answers what is wanted. */
export function rowsUrl(apiUrl: string, { columns, filters, order, search, offset, limit }: Wanted): string {
  const url = new URL(apiUrl);
  const add = (name: string, value: string) => url.searchParams.append(name, value);
  if (columns?.length) add('select', columns.map(escaped).join(','));
  for (const { column, op, value } of filters ?? [])
    add('where', [escaped(column), operatorNames[op], ...(takesValue(op) ? [String(value)] : [])].join('.'));
  if (order?.length)
    add('order', order.map(({ column, descending }) => `${descending ? '-' : ''}${escaped(column)}`).join(','));
  if (search) add('search', search);
  if (offset) add('offset', String(offset));
  if (limit !== undefined) add('limit', String(limit));
  return url.href;
}

/** A name within a list or a condition, whatever is in it. */
function escaped(name: string): string {
  return name.replaceAll(/[\\,.]|^-/g, '\\$&');
}

/** Throws ApiError, or a TypeError without a network. */
export async function fetchRows(apiUrl: string, wanted: Wanted, signal?: AbortSignal): Promise<RowsPage> {
  return v.parse(answerSchema, await fetchJson(rowsUrl(apiUrl, wanted), signal));
}

export async function fetchJson(url: string, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { message, hint } = (answer ?? {}) as { message?: unknown; hint?: unknown };
  throw new ApiError(response.status, String(message ?? `The server answered ${response.status}.`), String(hint ?? ''));
}

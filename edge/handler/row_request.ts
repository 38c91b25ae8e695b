/**
 * What a program asks of a shared table: format, rows, columns, order, from a URL and its headers. Names become quoted
 * identifiers of columns that exist and numbers become numbers, so that no part of a request is SQL.
 */

export type RowFormat = 'json' | 'ndjson' | 'csv';

export const contentTypes: Record<RowFormat, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
};

export interface RowRequest {
  format: RowFormat;
  offset: number;
  limit: number;
  /** All columns if empty. */
  select: string[];
  order: { column: string; descending: boolean }[];
}

/** A request that cannot be met as it is. */
export class RowRequestError extends Error {
  readonly status: number;
  readonly kind: string;
  readonly hint: string;

  constructor(status: number, kind: string, message: string, hint: string) {
    super(message);
    this.status = status;
    this.kind = kind;
    this.hint = hint;
  }
}

export const rowsPerRequestMax = 10_000;
const rowsPerRequest = 500;
const parameters = new Set(['format', 'offset', 'limit', 'select', 'order']);

export function rowRequest(url: URL, accept: string | null): RowRequest {
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined)
    throw badRequest(`There is no parameter ${unknown}.`, `There are ${[...parameters].join(', ')}.`);
  return {
    format: formatOf(url.searchParams.get('format'), accept),
    offset: wholeNumber(url, 'offset', 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(url, 'limit', rowsPerRequest, rowsPerRequestMax),
    select: url.searchParams.getAll('select').flatMap(names),
    order: url.searchParams.getAll('order').flatMap(names).map(orderTerm),
  };
}

/** One SELECT over a table's version. `columns` are those it has. */
export function sqlOf(request: RowRequest, table: string, version: number, columns: string[]): string {
  const known = (name: string): string => {
    if (columns.includes(name)) return quoted(name);
    throw badRequest(`There is no column ${name}.`, `There are ${columns.join(', ')}.`, 'unknown_column');
  };
  const select = request.select.length === 0 ? '*' : request.select.map(known).join(', ');
  const order = request.order.map(({ column, descending }) => `${known(column)}${descending ? ' DESC' : ''}`);
  return `SELECT ${select} FROM ${quoted(`${table}@${version}`)}${order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function formatOf(named: string | null, accept: string | null): RowFormat {
  if (named !== null) {
    if (named in contentTypes) return named as RowFormat;
    throw badRequest(`There is no format ${named}.`, `There are ${Object.keys(contentTypes).join(', ')}.`);
  }
  for (const part of (accept ?? '').split(',')) {
    const type = part.split(';')[0]?.trim() ?? '';
    if (type === 'text/csv') return 'csv';
    if (type === 'application/x-ndjson' || type === 'application/jsonl') return 'ndjson';
    if (type === 'application/json') return 'json';
  }
  return 'json';
}

function wholeNumber(url: URL, name: string, usual: number, max: number): number {
  const text = url.searchParams.get(name);
  if (text === null) return usual;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max)
    throw badRequest(`${name} is a whole number up to ${max}, not ${text}.`, `Go on from a row by offset.`);
  return number;
}

/** Names parted by commas; a comma or backslash within one is written with a backslash before it. */
function names(list: string): string[] {
  return [...list.matchAll(/((?:\\.|[^\\,])+)/gs)].map(([, name = '']) => name.replaceAll(/\\(.)/gs, '$1'));
}

function orderTerm(term: string): RowRequest['order'][number] {
  return term.startsWith('-') ? { column: term.slice(1), descending: true } : { column: term, descending: false };
}

function badRequest(message: string, hint: string, kind = 'invalid_request'): RowRequestError {
  return new RowRequestError(400, kind, message, hint);
}

/**
 * What a program asks of a shared table: format, columns, filters, order, rows, from a URL and its headers, as the core's view
 * read_rows takes it. No part of a request ever is SQL.
 */
import { filterWords } from '../../wasm/filter_words.ts';
import type { ReadRowsArguments, RowFilter } from '../../wasm/views.ts';

export type RowFormat = 'json' | 'ndjson' | 'csv' | 'parquet' | 'arrow';

export const contentTypes: Record<RowFormat, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
};

export function isBinary(format: RowFormat): boolean {
  return format === 'parquet' || format === 'arrow';
}

export interface RowRequest {
  format: RowFormat;
  offset: number;
  /** Infinity: all rows there are. */
  limit: number;
  /** Whether texts that a spreadsheet would run are marked as text; only of CSV. */
  escapesFormulas: boolean;
  /** Columns, filters and order; which columns there are is the core's to say. */
  what: Pick<ReadRowsArguments, 'columns' | 'filters' | 'order_by' | 'search'>;
}

/** A request that cannot be met as it is. */
export class RowRequestError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export const rowsPerRequestMax = 10_000;
const rowsPerRequest = 500;

/** The parameters, as open_api.ts tells them. */
export const rowParameters = {
  format: { about: 'The format; or by Accept', schema: { enum: Object.keys(contentTypes), default: 'json' } },
  select: { about: 'Columns, parted by commas (\\, within a name); all if left out', schema: { type: 'string' } },
  where: {
    about: `A condition, COLUMN.OPERATOR.VALUE, repeated for more; operators: ${Object.keys(filterWords).join(', ')}`,
    schema: { type: 'array', items: { type: 'string' } },
  },
  search: { about: 'Only rows in which some column holds this text, whatever the case', schema: { type: 'string' } },
  order: { about: 'Columns, parted by commas, "-" before one for descending', schema: { type: 'string' } },
  limit: {
    about: 'At most that many rows; "all" for the whole table, without where, search and order',
    schema: {
      anyOf: [{ type: 'integer', minimum: 0, maximum: rowsPerRequestMax }, { const: 'all' }],
      default: rowsPerRequest,
    },
  },
  offset: { about: 'Rows to pass over', schema: { type: 'integer', minimum: 0, default: 0 } },
  escape: {
    about:
      'CSV only: "formulas" puts an apostrophe before texts that a spreadsheet would run; values are then not exact',
    schema: { enum: ['formulas'] },
  },
  sql: {
    about:
      'One SELECT over the table by its path, where its owner allows that; with format and limit (at most 500) and nothing else',
    schema: { type: 'string' },
  },
} as const;

export interface SqlRequest extends Pick<RowRequest, 'format' | 'escapesFormulas' | 'limit'> {
  sql: string;
}

const sqlRowsMax = 500;
const besideSql = ['sql', 'format', 'limit', 'escape'];

/** A request that brings a SELECT of its own, undefined if it brings none. Throws RowRequestError. */
export function sqlRequest(url: URL, accept: string | null): SqlRequest | undefined {
  const asked = url.searchParams;
  const sql = asked.get('sql');
  if (sql === null) return undefined;
  const other = [...asked.keys()].find((name) => !besideSql.includes(name));
  if (other !== undefined)
    throw new RowRequestError(`${other} does not go with sql.`, 'Say it in the SELECT, or leave sql out.');
  const format = formatOf(asked.get('format'), accept);
  const escapes = escapesFormulas(asked.get('escape'), format);
  return { sql, format, escapesFormulas: escapes, limit: wholeNumber(asked, 'limit', sqlRowsMax, sqlRowsMax) };
}

/** Throws RowRequestError. */
export function rowRequest(url: URL, accept: string | null): RowRequest {
  const asked = url.searchParams;
  const names = Object.keys(rowParameters);
  const unknown = [...asked.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RowRequestError(`There is no parameter ${unknown}.`, `There are ${names.join(', ')}.`);
  const columns = asked.getAll('select').flatMap(terms).map(unescaped);
  const search = asked.get('search') ?? '';
  const format = formatOf(asked.get('format'), accept);
  return {
    format,
    offset: wholeNumber(asked, 'offset', 0, Number.MAX_SAFE_INTEGER),
    limit: limitOf(asked),
    escapesFormulas: escapesFormulas(asked.get('escape'), format),
    what: {
      ...(columns.length > 0 ? { columns } : {}),
      filters: asked.getAll('where').map(filterOf),
      order_by: asked.getAll('order').flatMap(terms).map(orderTerm),
      ...(search === '' ? {} : { search }),
    },
  };
}

function formatOf(named: string | null, accept: string | null): RowFormat {
  if (named !== null) {
    if (Object.hasOwn(contentTypes, named)) return named as RowFormat;
    throw new RowRequestError(`There is no format ${named}.`, `There are ${Object.keys(contentTypes).join(', ')}.`);
  }
  for (const part of (accept ?? '').split(',')) {
    const type = part.split(';')[0]?.trim() ?? '';
    if (type === 'text/csv') return 'csv';
    if (type === 'application/x-ndjson' || type === 'application/jsonl') return 'ndjson';
    if (type === 'application/json') return 'json';
    if (type === contentTypes.parquet) return 'parquet';
    if (type === contentTypes.arrow) return 'arrow';
  }
  return 'json';
}

function limitOf(asked: URLSearchParams): number {
  if (asked.get('limit') !== 'all') return wholeNumber(asked, 'limit', rowsPerRequest, rowsPerRequestMax);
  // Each page of such rows would look through the whole table again.
  const narrowing = ['where', 'search', 'order'].find((name) => asked.has(name));
  if (narrowing === undefined) return Infinity;
  const hint = `Ask for up to ${rowsPerRequestMax} rows and go on by next, or leave ${narrowing} out.`;
  throw new RowRequestError(`limit=all is the whole table, and does not go with ${narrowing}.`, hint);
}

function escapesFormulas(escape: string | null, format: RowFormat): boolean {
  if (escape === null) return false;
  if (escape === 'formulas' && format === 'csv') return true;
  throw new RowRequestError(`There is no escape ${escape} in ${format}.`, 'Write format=csv&escape=formulas.');
}

function wholeNumber(asked: URLSearchParams, name: string, usual: number, max: number): number {
  const text = asked.get(name);
  if (text === null) return usual;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max)
    throw new RowRequestError(`${name} is a whole number up to ${max}, not ${text}.`, 'Go on from a row by offset.');
  return number;
}

/** COLUMN.OPERATOR.VALUE; what follows the second dot is the value as it is. */
function filterOf(text: string): RowFilter {
  const [, name = '', operator = '', value] = /^((?:\\.|[^\\.])+)\.(\w+)(?:\.(.*))?$/s.exec(text) ?? [];
  const op = Object.hasOwn(filterWords, operator) ? filterWords[operator] : undefined;
  if (op === undefined || (value === undefined) !== /null/.test(operator)) {
    const hint = `Write COLUMN.OPERATOR.VALUE, as in where=amount.ge.100; operators are ${Object.keys(filterWords).join(', ')}, the last two without a value.`;
    throw new RowRequestError(`${text} is no condition.`, hint);
  }
  return { column: unescaped(name), op, ...(value === undefined ? {} : { value }) };
}

function orderTerm(term: string): { column: string; descending: boolean } {
  const descending = term.startsWith('-');
  return { column: unescaped(descending ? term.slice(1) : term), descending };
}

/** Parts between commas, as they are written: a comma within one has a backslash before it. */
function terms(list: string): string[] {
  return [...list.matchAll(/(?:\\.|[^\\,])+/gs)].map(([part]) => part);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, '$1');
}

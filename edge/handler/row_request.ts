/**
 * What a program asks of a shared table: format, columns, filters, order, rows, from a URL and its headers, as the core's view
 * read_rows takes it. No part of a request ever is SQL.
 */
import type { ReadRowsArguments, RowFilter } from '../../wasm/views.ts';

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
const operators: Record<string, RowFilter['op']> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  contains: 'contains',
  starts_with: 'starts_with',
  is_null: 'is_null',
  is_not_null: 'is_not_null',
};

/** The parameters, as open_api.ts tells them. */
export const rowParameters = {
  format: { about: 'The format; or by Accept', schema: { enum: Object.keys(contentTypes), default: 'json' } },
  select: { about: 'Columns, parted by commas (\\, within a name); all if left out', schema: { type: 'string' } },
  where: {
    about: `A condition, COLUMN.OPERATOR.VALUE, repeated for more; operators: ${Object.keys(operators).join(', ')}`,
    schema: { type: 'array', items: { type: 'string' } },
  },
  search: { about: 'Only rows in which some column holds this text, whatever the case', schema: { type: 'string' } },
  order: { about: 'Columns, parted by commas, "-" before one for descending', schema: { type: 'string' } },
  limit: {
    about: 'At most that many rows',
    schema: { type: 'integer', minimum: 0, maximum: rowsPerRequestMax, default: rowsPerRequest },
  },
  offset: { about: 'Rows to pass over', schema: { type: 'integer', minimum: 0, default: 0 } },
} as const;

/** Throws RowRequestError. */
export function rowRequest(url: URL, accept: string | null): RowRequest {
  const asked = url.searchParams;
  const names = Object.keys(rowParameters);
  const unknown = [...asked.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RowRequestError(`There is no parameter ${unknown}.`, `There are ${names.join(', ')}.`);
  const columns = asked.getAll('select').flatMap((list) => parted(list));
  const search = asked.get('search') ?? '';
  return {
    format: formatOf(asked.get('format'), accept),
    offset: wholeNumber(asked, 'offset', 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(asked, 'limit', rowsPerRequest, rowsPerRequestMax),
    what: {
      ...(columns.length > 0 ? { columns } : {}),
      filters: asked.getAll('where').map(filterOf),
      order_by: asked
        .getAll('order')
        .flatMap((list) => parted(list))
        .map(orderTerm),
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
  }
  return 'json';
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
  const op = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (op === undefined || (value === undefined) !== /null/.test(operator)) {
    const hint = `Write COLUMN.OPERATOR.VALUE, as in where=amount.ge.100; operators are ${Object.keys(operators).join(', ')}, the last two without a value.`;
    throw new RowRequestError(`${text} is no condition.`, hint);
  }
  return { column: unescaped(name), op, ...(value === undefined ? {} : { value }) };
}

function orderTerm(term: string): { column: string; descending: boolean } {
  return term.startsWith('-') ? { column: term.slice(1), descending: true } : { column: term, descending: false };
}

/** Parts between commas; one within a part is written with a backslash before it. */
function parted(list: string): string[] {
  return [...list.matchAll(/(?:\\.|[^\\,])+/gs)].map(([part]) => unescaped(part));
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, '$1');
}

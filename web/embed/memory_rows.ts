/** Rows that are all here, filtered, searched and sorted as a server would: NULL last, ties as they lie. */
import type { Filter, Order } from '../app/base/address.ts';
import { cellText, kindOf } from '../app/base/words.ts';
import type { RowsBackend } from '../share/rows_view.ts';
import type { ViewColumn } from '../../wasm/views.ts';

export interface Table {
  columns: ViewColumn[];
  rows: unknown[][];
}

/** The columns of these names, in this order; all if there are none. Throws if one is missing. */
export function narrowed({ columns, rows }: Table, names: string[]): Table {
  if (names.length === 0) return { columns, rows };
  const places = names.map((name) => {
    const at = columns.findIndex((column) => column.name === name);
    if (at < 0) throw new Error(`There is no column ${name}: there are ${columns.map((one) => one.name).join(', ')}.`);
    return at;
  });
  return { columns: places.map((at) => columns[at]!), rows: rows.map((row) => places.map((at) => row[at])) };
}

/** `shown`: what of the table is answered; all of its columns are searched, filtered and sorted by. */
export function memoryBackend(table: Table, shown: Table, label: string): RowsBackend {
  return {
    label,
    rows: ({ filters, order, search, offset, limit }) => {
      const found = sorted(passing(table, filters, search), table, order);
      const rows = found.slice(offset, offset + limit).map((at) => shown.rows[at]!);
      return Promise.resolve({ columns: shown.columns, rows, total: found.length });
    },
  };
}

function columnAt({ columns }: Table, name: string): number {
  const at = columns.findIndex((column) => column.name === name);
  if (at < 0) throw new Error(`There is no column ${name}.`);
  return at;
}

function passing(table: Table, filters: Filter[], search: string): number[] {
  const tests = filters.map((filter) => testOf(table, filter));
  const wanted = search.toLowerCase();
  const passes = (row: unknown[]) =>
    tests.every((test) => test(row)) &&
    (wanted === '' || row.some((cell) => cellText(cell).toLowerCase().includes(wanted)));
  return table.rows.flatMap((row, at) => (passes(row) ? [at] : []));
}

function testOf(table: Table, { column, op, value }: Filter): (row: unknown[]) => boolean {
  const at = columnAt(table, column);
  if (op === 'is_null') return (row) => isNull(row[at]);
  if (op === 'is_not_null') return (row) => !isNull(row[at]);
  const text = String(value).toLowerCase();
  const starts = (cell: unknown) => cellText(cell).toLowerCase().startsWith(text);
  if (op === 'contains') return (row) => !isNull(row[at]) && cellText(row[at]).toLowerCase().includes(text);
  if (op === 'starts_with') return (row) => !isNull(row[at]) && starts(row[at]);
  const compare = comparing(table.columns[at]!.type);
  const holds: Record<string, (sign: number) => boolean> = {
    '=': (sign) => sign === 0,
    '!=': (sign) => sign !== 0,
    '<': (sign) => sign < 0,
    '<=': (sign) => sign <= 0,
    '>': (sign) => sign > 0,
    '>=': (sign) => sign >= 0,
  };
  return (row) => !isNull(row[at]) && holds[op]!(compare(row[at], value));
}

function sorted(found: number[], table: Table, order: Order[]): number[] {
  const terms = order.map(({ column, descending }) => {
    const at = columnAt(table, column);
    return { at, sign: descending ? -1 : 1, compare: comparing(table.columns[at]!.type) };
  });
  if (terms.length === 0) return found;
  return found.sort((a, b) => {
    for (const { at, sign, compare } of terms) {
      const [one, other] = [table.rows[a]![at], table.rows[b]![at]];
      if (isNull(one) || isNull(other)) {
        if (isNull(one) !== isNull(other)) return isNull(one) ? 1 : -1;
        continue;
      }
      const sided = compare(one, other);
      if (sided !== 0) return sign * sided;
    }
    return a - b;
  });
}

/** Numbers by value, to their last digit; all else by its text, as a database sorts it. */
function comparing(type: string): (a: unknown, b: unknown) => number {
  if (kindOf(type) !== 'number') return (a, b) => compareTexts(cellText(a), cellText(b));
  return (a, b) => {
    const difference = Number(a) - Number(b);
    if (difference !== 0 || Math.abs(Number(a)) < 2 ** 53) return Number.isNaN(difference) ? 0 : difference;
    const [one, other] = [String(a), String(b)];
    if (!/^-?\d+$/.test(one) || !/^-?\d+$/.test(other)) return 0;
    return BigInt(one) < BigInt(other) ? -1 : BigInt(one) > BigInt(other) ? 1 : 0;
  };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

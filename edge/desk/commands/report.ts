/** What an import did, or would do, in words for a terminal. Programs get the answer itself, as JSON. */
import type { Warning, Written } from '../../../wasm/answers.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import { formatRows, oneLine } from './output.ts';

interface Imported extends Written {
  rows_skipped?: number;
  warnings_left_out?: number;
}

interface Inspected {
  format: string;
  encoding?: string;
  delimiter?: string;
  header?: boolean;
  row_count: number;
  columns: { name: string; type: string; nulls?: number; would_lose?: { type: string; values: number }[] }[];
  sample_rows?: unknown[][];
  malformed_rows: { count: number; lines: { line: number; problem: string }[] };
  warnings?: Warning[];
}

const firstValues = 3;

export function reportImport(answer: JsonObject): string {
  const { table, version, rows, added, updated, removed, rows_skipped, ...told } = answer as unknown as Imported;
  const counts = [
    [added, 'added'],
    [updated, 'updated'],
    [removed, 'removed'],
    [rows_skipped ?? 0, 'skipped as malformed'],
  ] as const;
  const changes = counts.filter(([number]) => number > 0).map(([number, what]) => `${count(number)} ${what}`);
  const changed = changes.length ? ` (${changes.join(', ')})` : '';
  return `${oneLine(table)}, version ${version}: ${counted(rows, 'row')}${changed}\n${warningLines(told)}`;
}

export function reportInspection(answer: JsonObject): string {
  const {
    format,
    encoding,
    delimiter,
    header,
    row_count,
    columns,
    sample_rows = [],
    ...told
  } = answer as unknown as Inspected;
  const facts = [
    format.toUpperCase(),
    ...(encoding ? [encoding] : []),
    ...(delimiter ? [`parted by ${delimiter === '\t' ? 'tabs' : JSON.stringify(delimiter)}`] : []),
    ...(header === undefined ? [] : [header ? 'with a header' : 'without a header']),
  ];
  const lines = columns.map(({ name, type, nulls, would_lose = [] }, at) => [
    name,
    type,
    nulls ?? null,
    would_lose.map(({ type, values }) => `${type} would lose ${count(values)}`).join(', '),
    sample_rows
      .slice(0, firstValues)
      .map((row) => (typeof row[at] === 'string' ? row[at] : JSON.stringify(row[at])))
      .join(', '),
  ]);
  const heads = ['column', 'type', 'nulls', 'other types', 'first values'].map((name) => ({ name, type: 'VARCHAR' }));
  const malformed = told.malformed_rows.lines.map(({ line, problem }) => `malformed  line ${line} ${problem}\n`);
  return (
    `${facts.join(', ')}: ${counted(row_count, 'row')}, ${counted(columns.length, 'column')}\n\n` +
    `${formatRows({ columns: heads, rows: lines }, 'table')}\n${malformed.join('')}${warningLines(told)}`
  );
}

function warningLines({ warnings = [], warnings_left_out: leftOut = 0 }: Partial<Imported>): string {
  const lines = warnings.map(({ message }) => `warning  ${oneLine(message)}\n`);
  return lines.join('') + (leftOut ? `and ${counted(leftOut, 'more warning')}\n` : '');
}

const count = (number: number): string => number.toLocaleString('en');
const counted = (number: number, one: string): string => `${count(number)} ${one}${number === 1 ? '' : 's'}`;

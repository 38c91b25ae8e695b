/**
 * What inspect_file says of a file before anything is written. The tool may not be there yet at an older home, and its answer
 * comes with more members than are shown; what is shown is read with care for what is missing.
 */
import type { JsonObject } from '../../../wasm/instance.ts';
import type { Warning } from '../base/tables.ts';

export interface InspectedColumn {
  name: string;
  type: string;
  note?: string;
}

export interface Inspection {
  format?: string;
  dialect: string[];
  columns: InspectedColumn[];
  sample: unknown[][];
  rows?: number;
  malformed: number;
  warnings: Warning[];
}

export function inspectionOf(answer: JsonObject): Inspection {
  const columns = list(answer.columns).map((column) => inspectedColumn(column as JsonObject));
  const sample = list(answer.sample_rows ?? answer.first_rows ?? answer.rows).map((row) => cells(row, columns));
  const rows = answer.row_count ?? answer.rows_read;
  const malformed = answer.malformed_rows;
  return {
    ...(typeof answer.format === 'string' ? { format: answer.format } : {}),
    dialect: dialectWords(answer.dialect),
    columns,
    sample,
    ...(typeof rows === 'number' ? { rows } : {}),
    malformed: typeof malformed === 'number' ? malformed : countIn(malformed),
    warnings: list(answer.warnings) as unknown as Warning[],
  };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function countIn(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  const count = (value as { count?: unknown } | undefined)?.count;
  return typeof count === 'number' ? count : 0;
}

function inspectedColumn(column: JsonObject): InspectedColumn {
  const loss = column.would_lose ?? column.lost ?? column.note;
  return {
    name: String(column.name),
    type: String(column.type),
    ...(typeof loss === 'string' ? { note: loss } : {}),
  };
}

/** A sample row is a list of cells, or an object by column. */
function cells(row: unknown, columns: InspectedColumn[]): unknown[] {
  if (Array.isArray(row)) return row;
  return columns.map(({ name }) => (row as JsonObject)[name] ?? null);
}

const dialectNames: Record<string, string> = {
  delimiter: 'separated by',
  encoding: 'encoding',
  quote: 'quoted by',
  sheet: 'sheet',
};

function dialectWords(dialect: unknown): string[] {
  if (typeof dialect !== 'object' || dialect === null) return [];
  const words: string[] = [];
  for (const [name, value] of Object.entries(dialect)) {
    const said = dialectNames[name];
    if (said && typeof value === 'string' && value !== '') words.push(`${said} ${separatorWord(value)}`);
    if (name === 'header') words.push(value === false ? 'no header' : 'with a header');
  }
  return words;
}

function separatorWord(value: string): string {
  const named: Record<string, string> = {
    ',': 'commas',
    ';': 'semicolons',
    '\t': 'tabs',
    '|': 'bars',
    '"': 'double quotes',
  };
  return named[value] ?? value;
}

/** What inspect_file says of a file before anything is written, and how it can be told to read it. */
import type { Warning } from '../../../wasm/answers.ts';
import { cellText, count, counted, typeWord } from '../base/words.ts';

/** What a person says about a file, in place of what was found from its bytes. */
export type ReadOptions = {
  delimiter?: string;
  header?: boolean;
  encoding?: string;
  skip_rows?: number;
  sheet?: string;
  records_path?: string;
  null_values?: string[];
  decimal_comma?: boolean;
};

/** Another type of the column, and how many values it would have bent. */
export interface TypeLoss {
  type: string;
  values: number;
  first: string;
  row: number;
}

export interface InspectedColumn {
  name: string;
  type: string;
  would_lose?: TypeLoss[];
}

export type MalformedLine = { line: number; problem: string } | { more: number };

export interface Inspection {
  /** Of columns and warnings that are left out. */
  notice?: string;
  format: string;
  encoding?: string;
  delimiter?: string;
  header?: boolean;
  lines_skipped?: number;
  records_path?: string;
  sheet?: string;
  row_count: number;
  column_count: number;
  columns: InspectedColumn[];
  sample_rows: unknown[][];
  malformed_rows: { count: number; lines: MalformedLine[] };
  warnings: Warning[];
}

const formatNames: Record<string, string> = {
  csv: 'CSV',
  tsv: 'TSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  xlsx: 'Excel',
};

const delimiterNames: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** How the file was read, in words. */
export function readingText(read: Inspection): string {
  const { format, delimiter, encoding, header, lines_skipped: skipped, records_path: path, sheet } = read;
  const parts = [formatNames[format] ?? format];
  if (delimiter && format !== 'tsv') parts.push(`parted by ${delimiterNames[delimiter] ?? delimiter}`);
  if (encoding && encoding !== 'UTF-8') parts.push(encoding);
  if (header === false) parts.push('without a header');
  if (skipped) parts.push(`${counted(skipped, 'line')} above the header skipped`);
  if (path) parts.push(`rows under ${path}`);
  if (sheet) parts.push(`sheet ${sheet}`);
  return parts.join(', ');
}

/** Why the column is not of the type that a glance might expect. */
export function lossText({ type, values, first, row }: TypeLoss): string {
  return `As ${typeWord(type)}, ${counted(values, 'value')} would change: first “${cellText(first)}” in row ${count(row)}.`;
}

export function malformedText(line: MalformedLine): string {
  return 'more' in line ? `and ${count(line.more)} more` : `Line ${count(line.line)} ${line.problem}`;
}

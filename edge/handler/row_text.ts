/** Rows as text, exactly: no value is shortened, escaped for a spreadsheet or bent. Numbers past 2^53 are text, as in answers. */
import type { RowFormat } from './row_request.ts';

export interface RowText {
  /** What comes before the first row. */
  head: string;
  rows(rows: unknown[][], from: number): string;
  /** What comes after the last one. */
  tail(facts: Record<string, unknown>): string;
}

export interface RowColumn {
  name: string;
  type: string;
}

export function rowText(format: RowFormat, columns: RowColumn[], facts: Record<string, unknown>): RowText {
  const names = columns.map(({ name }) => name);
  switch (format) {
    case 'csv':
      return { head: csvLine(names), rows: (rows) => rows.map(csvLine).join(''), tail: () => '' };
    case 'ndjson':
      return { head: '', rows: (rows) => rows.map((row) => ndjsonLine(names, row)).join(''), tail: () => '' };
    default:
      return {
        head: `${JSON.stringify({ ...facts, columns }).slice(0, -1)},"rows":[`,
        rows: (rows, from) => rows.map((row, i) => `${from + i === 0 ? '' : ','}\n${JSON.stringify(row)}`).join(''),
        tail: (last) => `\n],${JSON.stringify(last).slice(1)}\n`,
      };
  }
}

/** RFC 4180; null is an empty cell and empty text a quoted one. */
export function csvLine(cells: unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function ndjsonLine(names: string[], row: unknown[]): string {
  return `{${names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(row[i])}`).join(',')}}\n`;
}

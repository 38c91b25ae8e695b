/**
 * Rows as text, exactly: no value is shortened or bent, nor escaped for a spreadsheet unless that is asked for. Numbers past 2^53
 * are text, as in answers.
 */
import { kindOf } from '../../wasm/value_words.ts';
import type { HowEncoded } from './row_encoder.ts';

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

export function rowText(how: HowEncoded, columns: RowColumn[], facts: Record<string, unknown>): RowText {
  const names = columns.map(({ name }) => name);
  switch (how.format) {
    case 'csv':
      return how.escapesFormulas
        ? spreadsheetText(columns)
        : { head: csvLine(names), rows: (rows) => rows.map(csvLine).join(''), tail: () => '' };
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

/** Numbers keep their signs; whatever else begins as a formula does is marked as text. */
function spreadsheetText(columns: RowColumn[]): RowText {
  const isText = columns.map(({ type }) => kindOf(type) !== 'number');
  const marked = (value: unknown) => (typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
  const line = (row: unknown[]) => csvLine(row.map((value, i) => (isText[i] ? marked(value) : value)));
  return {
    head: csvLine(columns.map(({ name }) => marked(name))),
    rows: (rows) => rows.map(line).join(''),
    tail: () => '',
  };
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

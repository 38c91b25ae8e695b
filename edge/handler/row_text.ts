/**
 * Rows as text, exactly: no value is shortened or bent, nor escaped for a spreadsheet unless that is asked for. Numbers past 2^53
 * are text, as in answers.
 */
import { csvLine, spreadsheetLine } from '../../wasm/csv_text.ts';
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
    case 'csv': {
      const line = how.escapesFormulas ? spreadsheetLine : csvLine;
      return { head: line(names), rows: (rows) => rows.map(line).join(''), tail: () => '' };
    }
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

function ndjsonLine(names: string[], row: unknown[]): string {
  return `{${names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(row[i])}`).join(',')}}\n`;
}

/**
 * From a sheet to a table: merged cells filled, blank rows and columns and title lines left out, a header found. Whatever is
 * left out or filled is told in the warnings, so that nothing happens in silence.
 */
import { HomeError, type SheetRequest } from '../home.ts';
import type { JsonObject } from '../instance.ts';
import { type Cell, type Sheet, type SheetCells, Workbook } from './workbook.ts';

export interface XlsxTable {
  /** NDJSON lines as importer.hpp reads them: arrays of cells, the header first. */
  lines: Iterable<string>;
  rows: number;
  facts: JsonObject;
  warnings: JsonObject[];
}

type Row = Cell[];

/** Reads one sheet: the named one, or the first that is visible. Throws HomeError not_xlsx, unknown_sheet, empty_file. */
export function readXlsx(bytes: Uint8Array, request: SheetRequest): XlsxTable {
  const workbook = new Workbook(bytes);
  const sheet = chooseSheet(workbook.sheets, request.sheet);
  const cells = workbook.cells(sheet);
  const warnings: JsonObject[] = [];
  fillMerges(cells, warnings);
  const rows = denseRows(cells, request.skip_rows, warnings);
  const header =
    request.header === false
      ? rows[0]!.map((_, i) => `column${i + 1}`)
      : takeHeader(rows, cells.merges.length > 0, warnings);
  explainProblems(header, rows, warnings);
  const facts: JsonObject = {
    sheet: sheet.name,
    sheets: workbook.sheets.map(({ name, state }) => ({ name, state })),
    ...(sheet.state === 'visible' ? {} : { sheet_state: sheet.state }),
  };
  return { lines: linesOf(header, rows), rows: rows.length, facts, warnings };
}

function chooseSheet(sheets: Sheet[], name: string | null): Sheet {
  const named = sheets.find((sheet) => sheet.name === name);
  if (named) return named;
  const list = sheets.map((sheet) => JSON.stringify(sheet.name)).join(', ');
  if (name !== null)
    throw new HomeError('unknown_sheet', `There is no sheet ${JSON.stringify(name)}.`, `The workbook has ${list}.`);
  const visible = sheets.find((sheet) => sheet.state === 'visible');
  if (!visible)
    throw new HomeError(
      'unknown_sheet',
      'Every sheet of the workbook is hidden.',
      `Name the one to read as sheet: ${list}.`,
    );
  return visible;
}

/** A merged block holds one value, meant for every cell of it. */
function fillMerges({ rows, merges }: SheetCells, warnings: JsonObject[]): void {
  const filled: string[] = [];
  for (const range of merges) {
    const value = rows.get(range.top)?.get(range.left);
    if (value === undefined) continue;
    filled.push(range.text);
    const bottom = Math.min(range.bottom, lastRow(rows));
    for (let row = range.top; row <= bottom; ++row) {
      const cells = rows.get(row) ?? new Map<number, Cell>();
      for (let column = range.left; column <= Math.min(range.right, range.left + 1000); ++column)
        cells.set(column, value);
      rows.set(row, cells);
    }
  }
  if (filled.length === 0) return;
  const shown = filled.slice(0, 10).join(', ');
  warnings.push({
    kind: 'merged_cells_filled',
    message: `Merged cells were filled with their one value: ${shown}${filled.length > 10 ? ' and more' : ''}.`,
    count: filled.length,
  });
}

function lastRow(rows: SheetCells['rows']): number {
  let last = 0;
  for (const row of rows.keys()) last = Math.max(last, row);
  return last;
}

/** The rows that hold anything, over the columns that hold anything, without the lines above the table. */
function denseRows({ rows }: SheetCells, skipRows: number | undefined, warnings: JsonObject[]): Row[] {
  const numbers = [...rows.keys()].filter((row) => row >= (skipRows ?? 0)).sort((a, b) => a - b);
  if (numbers.length === 0)
    throw new HomeError(
      'empty_file',
      skipRows ? `The sheet has nothing below its first ${skipRows} row(s).` : 'The sheet is empty.',
      skipRows ? 'Set skip_rows to a smaller number.' : 'Name another sheet, or fill this one.',
    );
  const widest = Math.max(...numbers.slice(0, 1000).map((row) => rows.get(row)!.size));
  const begin = skipRows !== undefined || widest < 2 ? 0 : numbers.findIndex((row) => rows.get(row)!.size > 1);
  const titles = numbers.slice(0, begin);
  const kept = numbers.slice(begin);
  if (titles.length > 0) {
    const quoted = titles.map((row) => JSON.stringify([...rows.get(row)!.values()].map(textOf).join(' '))).slice(0, 5);
    warnings.push({
      kind: 'lines_skipped',
      message: `${titles.length} title row(s) above the table were left out: ${quoted.join(', ')}. The header was taken to be row ${kept[0]! + 1}; skip_rows says otherwise.`,
      count: titles.length,
    });
  }
  const blank = kept.at(-1)! - kept[0]! + 1 - kept.length;
  if (blank > 0) {
    warnings.push({
      kind: 'lines_skipped',
      message: `${blank} blank row(s) within the table were left out.`,
      count: blank,
    });
  }
  const columns = [...new Set(kept.flatMap((row) => [...rows.get(row)!.keys()]))].sort((a, b) => a - b);
  return kept.map((row) => columns.map((column) => rows.get(row)!.get(column) ?? null));
}

/** Takes the header off the rows. A header of two rows, the upper one merged over groups, becomes one: "2024 plan". */
function takeHeader(rows: Row[], merged: boolean, warnings: JsonObject[]): string[] {
  const upper = rows.shift()!.map(textOf);
  const lower = rows[0];
  const repeats = upper.some((name, i) => name !== '' && name === upper[i - 1]);
  if (!merged || !repeats || !lower?.every((cell) => cell === null || typeof cell === 'string')) return upper;
  rows.shift();
  warnings.push({ kind: 'header_rows_joined', message: 'The header has two rows; their names were joined into one.' });
  return upper.map((name, i) => [...new Set([name, textOf(lower[i] ?? null)])].filter((part) => part !== '').join(' '));
}

/** Cells without a value become null, and are told, per column. */
function explainProblems(header: string[], rows: Row[], warnings: JsonObject[]): void {
  const found = new Map<number, { value: string; row: number; count: number }>();
  rows.forEach((row, number) => {
    row.forEach((cell, column) => {
      if (cell === null || typeof cell !== 'object' || !('problem' in cell)) return;
      row[column] = null;
      const seen = found.get(column);
      if (seen) seen.count += 1;
      else found.set(column, { value: cell.problem, row: number + 1, count: 1 });
    });
  });
  for (const [column, { value, row, count }] of found) {
    const name = header[column] ?? '';
    warnings.push({
      column: name,
      kind: 'cells_without_value',
      message: `${count} cell(s) of ${JSON.stringify(name)} hold no value and became null; the first, in row ${row}, holds ${value}.`,
      value,
      row,
      count,
    });
  }
}

function* linesOf(header: string[], rows: Row[]): Generator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const row of rows) yield `[${row.map(jsonOf).join(',')}]\n`;
}

function jsonOf(cell: Cell): string {
  return cell !== null && typeof cell === 'object' && 'number' in cell ? cell.number : JSON.stringify(cell);
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell).trim();
  return String(Object.values(cell)[0]);
}

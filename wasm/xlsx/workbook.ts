/** A workbook: its sheets with their states, and a sheet's cells as they are stored. What they mean as a table is table.ts's. */
import { type CellTime, momentOf, type TimeFormat, timeFormat } from './dates.ts';
import { PackageParts, readXml, refuse } from './package_parts.ts';

export type Cell = null | boolean | string | ExactNumber | CellTime | CellProblem;

/** A number by its JSON text, which may hold more digits than a double. */
export interface ExactNumber {
  number: string;
}

/** A cell that holds no value of its own: #N/A, a formula without a result, a day that never was. */
export interface CellProblem {
  problem: string;
}

export interface Sheet {
  name: string;
  state: 'visible' | 'hidden' | 'veryHidden';
  path: string;
}

export interface Range {
  text: string;
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface SheetCells {
  /** Rows by number, from 0; cells by column, from 0. Both are sparse. */
  rows: Map<number, Map<number, Cell>>;
  merges: Range[];
}

const cellsMax = 20_000_000;

export class Workbook {
  readonly sheets: Sheet[] = [];
  #parts: PackageParts;
  #from1904 = false;
  #sharedStrings: string[];
  #formats: (TimeFormat | undefined)[];

  constructor(bytes: Uint8Array) {
    this.#parts = new PackageParts(bytes);
    const isOf = (kind: string) => (relation: { type: string }) => relation.type.endsWith(`/${kind}`);
    const path = [...this.#parts.relations('').values()].find(isOf('officeDocument'))?.path ?? 'xl/workbook.xml';
    const relations = this.#parts.relations(path);
    readXml(this.#parts.required(path), {
      open: (name, attributes) => {
        if (name === 'workbookPr') this.#from1904 = isTrue(attributes.date1904);
        if (name !== 'sheet') return;
        const sheetPath = relations.get(attributes.id ?? '')?.path;
        const state = attributes.state === 'hidden' || attributes.state === 'veryHidden' ? attributes.state : 'visible';
        if (sheetPath?.includes('/worksheets/'))
          this.sheets.push({ name: attributes.name ?? '', state, path: sheetPath });
      },
    });
    if (this.sheets.length === 0) refuse('The workbook has no worksheet.', 'Save a sheet with cells in it.');
    const part = (kind: string) => this.#parts.text([...relations.values()].find(isOf(kind))?.path ?? '');
    this.#sharedStrings = readSharedStrings(part('sharedStrings'));
    this.#formats = readFormats(part('styles'));
  }

  cells(sheet: Sheet): SheetCells {
    const rows: SheetCells['rows'] = new Map();
    const merges: Range[] = [];
    let row = -1;
    let column = -1;
    let attributes: Record<string, string> = {};
    let value: string | undefined;
    let collecting = false;
    let phonetic = false;
    let formula = false;
    let count = 0;
    readXml(this.#parts.required(sheet.path), {
      open: (name, given) => {
        if (name === 'row') {
          row = given.r === undefined ? row + 1 : Number(given.r) - 1;
          column = -1;
        } else if (name === 'c') {
          attributes = given;
          column = given.r === undefined ? column + 1 : columnOf(given.r);
          value = undefined;
          formula = false;
          if (++count > cellsMax)
            refuse(`Sheet ${sheet.name} has more than ${cellsMax} cells.`, 'Save it as CSV and import that.');
        } else if (name === 'f') {
          formula = true;
        } else if (name === 'rPh') {
          phonetic = true;
        } else if (name === 'v' || (name === 't' && !phonetic)) {
          collecting = true;
          value ??= '';
        } else if (name === 'mergeCell') {
          merges.push(rangeOf(given.ref ?? ''));
        }
      },
      text: (text) => {
        if (collecting) value += text;
      },
      close: (name) => {
        if (name === 'v' || name === 't') collecting = false;
        if (name === 'rPh') phonetic = false;
        if (name !== 'c') return;
        const cell =
          value === undefined
            ? formula
              ? { problem: 'a formula without a result' }
              : null
            : this.#cell(attributes, value);
        if (cell === null || cell === '') return;
        let cells = rows.get(row);
        if (!cells) rows.set(row, (cells = new Map()));
        cells.set(column, cell);
      },
    });
    return { rows, merges };
  }

  #cell({ t: type = 'n', s: style }: Record<string, string>, value: string): Cell {
    switch (type) {
      case 's':
        return this.#sharedStrings[Number(value)] ?? null;
      case 'str':
      case 'inlineStr':
        return unescaped(value);
      case 'b':
        return isTrue(value);
      case 'e':
        return { problem: value };
      case 'd':
        return isoMoment(value);
      default: {
        const format = style === undefined ? undefined : this.#formats[Number(style)];
        if (!format) return numberOf(value);
        const moment = momentOf(Number(value), format, this.#from1904);
        // Elapsed hours past a day are no time of day, but the number of days is what they are.
        return moment ?? (format.date ? { problem: `${value}, shown as a day that there is not` } : numberOf(value));
      }
    }
  }
}

function numberOf(text: string): Cell {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  // What was written with more digits than a double holds is kept by its digits.
  const exact = /^-?[1-9]\d*$/.test(text) && !Number.isSafeInteger(number);
  return { number: exact ? text : JSON.stringify(number) };
}

function isoMoment(text: string): Cell {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/.exec(text) ?? [];
  if (date && time) return { timestamp: `${date}T${time}` };
  if (date) return { date };
  return time ? { time } : text;
}

function readSharedStrings(xml: string | undefined): string[] {
  const strings: string[] = [];
  let collecting = false;
  let phonetic = false;
  let text = '';
  readXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic = true;
      if (name === 't') collecting = !phonetic;
    },
    text(part) {
      if (collecting) text += part;
    },
    close(name) {
      if (name === 't') collecting = false;
      if (name === 'rPh') phonetic = false;
      if (name === 'si') strings.push(unescaped(text));
    },
  });
  return strings;
}

/** Per cell style, what it shows of a moment. */
function readFormats(xml: string | undefined): (TimeFormat | undefined)[] {
  const codes = new Map<number, string>();
  const formats: (TimeFormat | undefined)[] = [];
  let inCellFormats = false;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (name === 'cellXfs') inCellFormats = true;
      if (name !== 'xf' || !inCellFormats) return;
      const id = Number(attributes.numFmtId ?? 0);
      formats.push(timeFormat(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return formats;
}

/** _x000D_ stands for the character of that number. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/i.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function rangeOf(text: string): Range {
  const [from = '', to = from] = text.split(':');
  const rowOf = (reference: string) => Number(/\d+$/.exec(reference)?.[0] ?? 1) - 1;
  return { text, top: rowOf(from), left: columnOf(from), bottom: rowOf(to), right: columnOf(to) };
}

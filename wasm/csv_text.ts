/** CSV lines by RFC 4180 of cells as answers give them: null is an empty cell, and empty text a quoted one. */

/** Exactly: no value is shortened, bent or escaped. */
export function csvLine(cells: unknown[]): string {
  return lineOf(cells.map(textOf));
}

/**
 * For a spreadsheet: text that it would run as a formula gets an apostrophe in front, which says that a cell is text. What is
 * a plain number stays one: -12.5, +1.
 */
export function spreadsheetLine(cells: unknown[]): string {
  return lineOf(cells.map((cell) => neutralized(textOf(cell))));
}

const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function neutralized(text: string | null): string | null {
  return text !== null && /^[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

function textOf(cell: unknown): string | null {
  if (cell === null) return null;
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

function lineOf(texts: (string | null)[]): string {
  return `${texts.map((text) => (text === null ? '' : quotedAsNeeded(text))).join(',')}\r\n`;
}

function quotedAsNeeded(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

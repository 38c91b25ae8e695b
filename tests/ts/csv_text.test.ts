import { expect, test } from 'vitest';
import { csvLine, spreadsheetLine } from '../../wasm/csv_text.ts';

const formulas = ['=1+1', '=HYPERLINK("http://x")', '+49 30 123', '-1 day', '@SUM(A1)', '\t=1', '\r=1', '-', '+1-2'];
const plain = ['-12.5', '+1', '-.5', '-1e-7', '7=7', "'=1", '', ' =1'];

test.each(formulas)('%j gets an apostrophe in a file for spreadsheets, and stays as it is in an exact one', (text) => {
  const inQuotes = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  expect(spreadsheetLine([text])).toBe(`${inQuotes(`'${text}`)}\r\n`);
  expect(csvLine([text])).toBe(`${inQuotes(text)}\r\n`);
});

test.each(plain)('%j is the same in both', (text) => {
  expect(spreadsheetLine([text])).toBe(csvLine([text]));
});

test('numbers are never text', () => {
  expect(spreadsheetLine([-12.5, null, true])).toBe('-12.5,,true\r\n');
});

import { expect, test } from 'vitest';
import { csvFile, type CsvKind, csvName } from '../../../web/app/download/csv_file.ts';

const columns = ['=name', 'n'].map((name) => ({ name, type: 'VARCHAR' }));

async function* pages() {
  yield { columns, rows: [['a,b', 1]] };
  yield {
    columns,
    rows: [
      [null, ''],
      ['say "x"\n', ['=1', 2]],
    ],
  };
}

async function written(kind: CsvKind): Promise<string> {
  const bytes = await new Response(csvFile(pages(), kind)).arrayBuffer();
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

test('an exact file has its header once, nulls as nothing and empty text in quotes', async () => {
  expect(await written('exact')).toBe('=name,n\r\n"a,b",1\r\n,""\r\n"say ""x""\n","[""=1"",2]"\r\n');
});

test('a file for spreadsheets begins with a byte order mark, and its names are neutralised too', async () => {
  expect(await written('spreadsheet')).toBe('\uFEFF\'=name,n\r\n"a,b",1\r\n,""\r\n"say ""x""\n","[""=1"",2]"\r\n');
});

test.each([
  ['sales/2026@3', 'sales-2026@3.csv'],
  ['Zürich: Kaffee & Kuchen', 'Zürich-Kaffee-Kuchen.csv'],
])('the file of %s is called %s', (name, file) => {
  expect(csvName(name)).toBe(file);
});

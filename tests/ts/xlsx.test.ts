/** Workbooks become tables without a value lost or moved by a time zone. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HomeError, type SheetRequest } from '../../wasm/home.ts';
import { momentOf, timeFormat } from '../../wasm/xlsx/dates.ts';
import { readXlsx } from '../../wasm/xlsx/table.ts';

function read(name: string, sheet: string | null = null, more: Omit<SheetRequest, 'sheet'> = {}) {
  const table = readXlsx(readFileSync(new URL(`../cases/${name}`, import.meta.url)), { sheet, ...more });
  return { ...table, lines: [...table.lines].map((line) => line.trimEnd()) };
}

const tables: { file: string; sheet?: string; lines: string[]; warnings: string[] }[] = [
  {
    file: '31a-blank-first-row-cells.xlsx',
    lines: [
      '["stage","part","release","minutes"]',
      '["queued",null,null,null]',
      '[null,"hull","2.0.4",5]',
      '[null,"mast","2.10",7]',
    ],
    warnings: [],
  },
  {
    file: '31b-blank-row-and-column.xlsx',
    lines: ['["k","v"]', '["a",1]', '["b",2]', '["c",3]'],
    warnings: ['lines_skipped'],
  },
  { file: '31c-table-not-at-A1.xlsx', lines: ['["id","amount"]', '[1,10.5]', '[2,20.5]'], warnings: ['lines_skipped'] },
  {
    file: '33-merged.xlsx',
    lines: [
      '["shed","bench","score"]',
      '["East","b1",1]',
      '["East","b2",2]',
      '["East","b3",3]',
      '["West","b4",4]',
      '["West","b5",5]',
    ],
    warnings: ['merged_cells_filled'],
  },
  {
    file: '33-merged.xlsx',
    sheet: 'TwoHeaderRows',
    lines: ['["id","2024 plan","2024 actual","2025 plan","2025 actual"]', '[1,10,11,12,13]', '[2,20,21,22,23]'],
    warnings: ['merged_cells_filled', 'header_rows_joined'],
  },
  {
    file: '35b-dates-1904.xlsx',
    lines: ['["id","d"]', '[1,{"date":"2024-01-01"}]', '[2,{"date":"1904-01-01"}]', '[3,{"date":"2024-12-31"}]'],
    warnings: [],
  },
  {
    file: '35c-dates-mixed-with-text.xlsx',
    lines: ['["id","d"]', '[1,{"date":"2024-01-01"}]', '[2,"13/01/2024"]', '[3,45294]', '[4,"n/a"]'],
    warnings: [],
  },
  {
    file: '36-formats.xlsx',
    lines: [
      '["id","rate","price","zip","account","mixed"]',
      '[1,0.1223,1234.5,"00123","1234567890123456789",1]',
      '[2,1,-0.01,"02134","0000000000000000017","100%"]',
      '[3,0.005,0,94107,"99","n/a"]',
    ],
    warnings: [],
  },
  {
    file: '36b-big-number-cell.xlsx',
    lines: ['["id","v"]', '[1,9007199254740993]', '[2,0.1]', '[3,1e+21]'],
    warnings: [],
  },
];

describe('a sheet', () => {
  test.each(tables)('$file $sheet is read as it is meant', ({ file, sheet, lines, warnings }) => {
    const table = read(file, sheet ?? null);
    expect(table.lines).toEqual(lines);
    expect(table.warnings.map(({ kind }) => kind)).toEqual(warnings);
  });

  test.each(['UTC', 'Asia/Seoul', 'America/Sao_Paulo', 'Europe/London'])('keeps its days under TZ=%s', (zone) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      const { lines, warnings } = read('35a-dates-1900.xlsx');
      expect(lines.slice(1).map((line) => (JSON.parse(line) as unknown[])[1])).toEqual([
        { date: '1900-01-01' },
        { date: '1900-02-28' },
        null,
        { date: '1900-03-01' },
        { date: '2024-01-01' },
      ]);
      expect(lines[3]).toContain('2024-01-01T23:59:59');
      expect(warnings).toMatchObject([{ column: 'd', kind: 'cells_without_value', row: 3, count: 1 }]);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

describe('a workbook', () => {
  const file = '32-hidden-first-sheet.xlsx';

  test('is read at its first visible sheet, with all sheets and states told', () => {
    const { lines, facts } = read(file);
    expect(lines).toEqual(['["region","units"]', '["North",10]', '["South",12]']);
    expect(facts).toEqual({
      sheet: "Q1 'Sales' & more",
      sheets: [
        { name: 'lookups', state: 'hidden' },
        { name: 'macro data', state: 'veryHidden' },
        { name: "Q1 'Sales' & more", state: 'visible' },
        { name: 'Q2', state: 'visible' },
      ],
    });
  });

  test('gives a hidden sheet only by name, and says that it is hidden', () => {
    expect(read(file, 'lookups').facts).toMatchObject({ sheet: 'lookups', sheet_state: 'hidden' });
  });

  test('refuses an unknown sheet with the names there are', () => {
    expect(() => read(file, 'nope')).toThrow(HomeError);
    expect(() => read(file, 'nope')).toThrow(/no sheet "nope"/);
  });

  test('skips the rows it is told to, and takes a first row for data', () => {
    const titled = read('31c-table-not-at-A1.xlsx', null, { skip_rows: 2 });
    expect(titled.lines[0]).toBe('["id","amount"]');
    expect(titled.warnings).toEqual([]);
    const plain = read('31c-table-not-at-A1.xlsx', null, { skip_rows: 3, header: false });
    expect(plain.lines).toEqual(['["column1","column2"]', '[1,10.5]', '[2,20.5]']);
    expect(() => read('31c-table-not-at-A1.xlsx', null, { skip_rows: 99 })).toThrow(/nothing below/);
  });

  test.each([
    ['no ZIP archive', new Uint8Array([1, 2, 3])],
    ['an old or encrypted workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0])],
    ['an empty file', new Uint8Array()],
  ])('refuses %s', (_, bytes) => {
    expect(() => readXlsx(bytes, { sheet: null })).toThrow(HomeError);
  });
});

describe('a number format', () => {
  test.each([
    ['yyyy-mm-dd', { date: true, time: false }],
    ['h:mm:ss', { date: false, time: true }],
    ['mm:ss', { date: false, time: true }],
    ['dd/mm/yyyy hh:mm', { date: true, time: true }],
    ['mmm-yy', { date: true, time: false }],
    ['[h]:mm', { date: false, time: true }],
    ['[$-409]d mmmm yyyy', { date: true, time: false }],
    ['0.00%', undefined],
    ['#,##0.00 "days"', undefined],
    ['[Red]0.0', undefined],
    ['General', undefined],
  ])('%s shows %o', (code, shown) => expect(timeFormat(164, code)).toEqual(shown));

  test('a fraction just short of midnight stays in its day', () => {
    expect(momentOf(45292.99999999999, { date: true, time: true }, false)).toEqual({
      timestamp: '2024-01-01T23:59:59.999',
    });
  });
});

/** What a terminal is told of an import. */
import { expect, test } from 'vitest';
import { reportImport, reportInspection } from '../../edge/desk/commands/report.ts';

test('an import is one line, and a line for each warning', () => {
  const told = reportImport({
    ...{ table: 'zips', version: 2, rows: 1200, added: 1, updated: 1199, removed: 0, rows_skipped: 1 },
    warnings: [{ message: 'Column "a" stays\u001b[2J text.' }],
    warnings_left_out: 2,
  });
  expect(told).toBe(
    'zips, version 2: 1,200 rows (1 added, 1,199 updated, 1 skipped as malformed)\n' +
      'warning  Column "a" stays\\u001b[2J text.\nand 2 more warnings\n',
  );
});

test('an inspection is a table of the columns, with what other types would lose', () => {
  const told = reportInspection({
    ...{ format: 'csv', encoding: 'UTF-8', delimiter: ',', header: true, row_count: 1 },
    columns: [
      { name: 'zip', type: 'VARCHAR', nulls: 0, would_lose: [{ type: 'BIGINT', values: 1, first: '00501', row: 1 }] },
      { name: 'n', type: 'BIGINT', nulls: 0 },
    ],
    sample_rows: [['00501', 3]],
    malformed_rows: { count: 1, lines: [{ line: 3, problem: 'opens a quote that is never closed' }] },
    warnings: [],
  });
  expect(told.split('\n').map((line) => line.trimEnd())).toEqual([
    'CSV, UTF-8, parted by ",", with a header: 1 row, 2 columns',
    '',
    'column  type     nulls  other types          first values',
    '──────  ───────  ─────  ───────────────────  ────────────',
    'zip     VARCHAR      0  BIGINT would lose 1  00501',
    'n       BIGINT       0                       3',
    '',
    'malformed  line 3 opens a quote that is never closed',
    '',
  ]);
});

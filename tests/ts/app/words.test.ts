/** Words for people: numbers whole, times near, types in one word. */
import { expect, test } from 'vitest';
import { ago, changeCounts, counted, kindOf, sizeText, typeWord } from '../../../web/app/base/words.ts';
import { pastedFile, pathFor } from '../../../web/app/import/incoming.ts';
import { levelOf } from '../../../web/app/base/folders.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [4000, '4.0 KB'],
  [123_456, '123 KB'],
  [2_500_000_000, '2.5 GB'],
])('%i bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

test.each([
  [10, 'just now'],
  [120, '2 minutes ago'],
  [3600 * 5, '5 hours ago'],
  [86_400, 'yesterday'],
  [86_400 * 400, 'last year'],
])('%i seconds past are %s', (seconds, text) => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});

test.each([
  ['BIGINT', 'integer', 'number'],
  ['DOUBLE', 'number', 'number'],
  ['DECIMAL(10,2)', 'decimal', 'number'],
  ['VARCHAR', 'text', 'text'],
  ['BOOLEAN', 'boolean', 'flag'],
  ['TIMESTAMP WITH TIME ZONE', 'instant', 'moment'],
  ['TIMESTAMP', 'timestamp', 'moment'],
  ['DATE', 'date', 'moment'],
  ['INTEGER[]', 'nested', 'nested'],
  ['JSON', 'json', 'nested'],
])('%s is "%s"', (type, word, kind) => {
  expect(typeWord(type)).toBe(word);
  expect(kindOf(type)).toBe(kind);
});

test('counts say one and many', () => {
  expect([counted(1, 'row'), counted(1200, 'row')]).toEqual(['1 row', '1,200 rows']);
  expect(changeCounts({ added: 40, updated: 3, removed: 1 })).toBe('+40 ~3 −1');
});

test.each([
  ['Sales 2025 (final).csv.gz', 'sales-2025-final'],
  ['été.parquet', 'été'],
  ['...', 'imported'],
])('%s would be the table %s', (name, path) => {
  expect(pathFor({ kind: 'file', file: new File([], name) })).toBe(path);
});

test.each([
  ['a\tb\n1\t2', 'pasted.tsv'],
  ['a,b\n1,2', 'pasted.csv'],
  [' [{"a":1}]', 'pasted.json'],
  ['{"a":1}\n{"a":2}', 'pasted.ndjson'],
])('pasted %j is %s', (text, name) => expect(pastedFile(text).name).toBe(name));

test('a folder shows the folders and tables right below it', () => {
  const table = (path: string, rows: number) => ({ path, rows });
  const level = levelOf([table('a/b/c', 1), table('a/b/d', 2), table('a/x', 3), table('a/e/f', 4)], 'a');
  expect(level.folders).toEqual([
    { name: 'b', tables: 2, rows: 3 },
    { name: 'e', tables: 1, rows: 4 },
  ]);
  expect(level.here.map(({ path }) => path)).toEqual(['a/x']);
});

/** The console's parts that know no page: what can be completed, and where a mistake is. */
import { describe, expect, test } from 'vitest';
import { mistakeOf } from '../../../web/app/base/sql_error.ts';
import { type KnownTables, namedTables, suggest } from '../../../web/app/editor/completion.ts';

const tables: KnownTables = {
  paths: async () => ['shop/orders', 'shop/items'],
  columns: async (path) => (path === 'shop/orders' ? ['id', 'Ordered on', 'total'] : ['id', 'name']),
};

async function labels(text: string) {
  const at = text.indexOf('|');
  return suggest(text.replace('|', ''), at, tables);
}

describe('completion', () => {
  test('offers paths where a name begins, in quotes', async () => {
    const found = await labels('SELECT * FROM sh|');
    expect(found!.from).toBe(14);
    expect(found!.suggestions).toContainEqual({ label: 'shop/orders', apply: '"shop/orders"', kind: 'table' });
  });

  test('replaces a quote that is open already', async () => {
    const found = await labels('SELECT * FROM "shop/o|');
    expect(found).toMatchObject({ from: 14, to: 21 });
    expect(found!.suggestions.map(({ apply }) => apply)).toContain('"shop/orders"');
  });

  test.each([
    ['SELECT * FROM "sh|"', 18],
    ['SELECT * FROM "sh|" WHERE id', 18],
    ['SELECT * FROM "sh|', 17],
  ])('replaces the quote that closes it already: %s', async (text, to) => {
    expect(await labels(text)).toMatchObject({ from: 14, to });
  });

  test('offers the columns of the tables that the query names, quoted where they must be', async () => {
    const found = await labels('SELECT o| FROM "shop/orders@3"');
    const columns = found!.suggestions.filter(({ kind }) => kind === 'column');
    expect(columns.map(({ apply }) => apply)).toEqual(['id', '"Ordered on"', 'total']);
  });

  test('offers nothing where nothing was begun', async () => {
    expect(await labels('SELECT |')).toBeUndefined();
  });

  test('knows a name that is no table', () => {
    expect(namedTables('SELECT "a" FROM "shop/items@2", \'shop/orders\'', ['shop/orders', 'shop/items'])).toEqual([
      'shop/items',
    ]);
  });
});

describe('a mistake', () => {
  test('is where the caret points', () => {
    const sql = 'SELECT *\nFROM "r/x" whee a =';
    const message =
      'Parser Error: syntax error at or near "a"\n\nLINE 2: FROM "r/x" whee a =\n                        ^';
    expect(mistakeOf(message, sql)).toEqual({
      message: 'Parser Error: syntax error at or near "a"',
      at: { line: 2, column: 16 },
    });
  });

  test('in a long line is where the excerpt lies in it', () => {
    const sql = `SELECT ${'a, '.repeat(60)}nope, ${'b, '.repeat(60)}1`;
    const start = sql.indexOf('nope');
    const excerpt = `...${sql.slice(start - 20, start + 20)}...`;
    const message = `Binder Error: no nope\n\nLINE 1: ${excerpt}\n${' '.repeat(8 + 3 + 20)}^`;
    expect(mistakeOf(message, sql).at).toEqual({ line: 1, column: start });
  });

  test('without a place is its words alone', () => {
    expect(mistakeOf('There is no table "x".', 'SELECT 1')).toEqual({ message: 'There is no table "x".' });
  });
});

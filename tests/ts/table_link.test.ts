/** A table in a link's fragment: it comes back as it was, or not at all. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { TableFacts } from '../../wasm/table_facts.ts';
import { carriedTable, fragmentOf, linkCharsMax, tableInFragment } from '../../web/table_link/carried.ts';
import { linkOfTable, LinkTooLong } from '../../web/table_link/make.ts';

const facts: TableFacts = {
  ...{ table: 'a/b', version: 3, description: 'Töne & <b>', rows: 3, bytes: 100, changed_at: '2026-11-30T20:00:00Z' },
  columns: [
    { name: 'n', type: 'BIGINT', description: 'a number' },
    { name: 'text', type: 'VARCHAR' },
    { name: 'nested', type: 'JSON' },
  ],
};
const rows = [
  [1, '\ud83d\ude00 \u202egnp', { a: [null, ''] }],
  ['9007199254740993', null, []],
  [null, '\ud800 alone', null],
];
const table = carriedTable(facts, rows);
const base = 'https://tables.example/app';

async function* pagesOf(...pages: unknown[][][]) {
  for (const page of pages) yield { rows: page };
}

test('comes back as it was, page by page', async () => {
  const link = await linkOfTable({ facts, isPart: false, pages: pagesOf(rows.slice(0, 2), rows.slice(2)) }, base);
  expect(link.startsWith(`${base}/table.html#`)).toBe(true);
  const { columns, ...told } = await tableInFragment(link.split('#')[1]!);
  expect(columns.map(({ values }) => values)).toEqual([0, 1, 2].map((at) => rows.map((row) => row[at])));
  expect(columns[0]).toMatchObject({ name: 'n', type: 'BIGINT', description: 'a number' });
  expect(told).toEqual({
    ...{ stele_table: 1, table: 'a/b', version: 3, description: 'Töne & <b>', changed_at: '2026-11-30T20:00:00Z' },
  });
});

test('says of how many rows it has some', async () => {
  const link = await linkOfTable({ facts, isPart: true, pages: pagesOf(rows.slice(0, 1)) }, base);
  expect(await tableInFragment(link.split('#')[1]!)).toMatchObject({ rows_in_all: 3 });
});

test('with any one character altered, or cut anywhere, is never another table', async () => {
  const fragment = await fragmentOf(table);
  const whole = await tableInFragment(fragment);
  const other = (at: number) => (fragment[at] === 'Q' ? 'R' : 'Q');
  const damaged = [...fragment].flatMap((_, at) => [
    fragment.slice(0, at) + other(at) + fragment.slice(at + 1),
    fragment.slice(0, at),
  ]);
  let refused = 0;
  for (const text of damaged) {
    const found = await tableInFragment(text).catch(() => undefined);
    if (found) expect(found).toEqual(whole);
    else ++refused;
  }
  // The last character has bits to spare.
  expect(refused).toBeGreaterThanOrEqual(damaged.length - 1);
});

describe('is refused', () => {
  test('where it is longer than a link may be, with how long it would be', async () => {
    const noise = Array.from({ length: 1000 }, (_, i) => [i, String(Math.sin(i)), null]);
    const tooLong = await linkOfTable({ facts, isPart: false, pages: pagesOf(noise) }, base).catch(
      (error: unknown) => error,
    );
    expect(tooLong).toBeInstanceOf(LinkTooLong);
    expect((tooLong as LinkTooLong).chars).toBeGreaterThan(linkCharsMax);
  });

  test('before all of a large table was read', async () => {
    let pages = 0;
    async function* endless() {
      for (;;) {
        ++pages;
        yield { rows: [[1, 'x'.repeat(100_000), null]] };
      }
    }
    await expect(linkOfTable({ facts, isPart: false, pages: endless() }, base)).rejects.toMatchObject({
      chars: undefined,
    });
    expect(pages).toBeLessThan(100);
  });

  test('where it unpacks to more than a page bears', async () => {
    const bomb = deflateSync(Buffer.alloc(50 << 20, ' ')).toString('base64url');
    await expect(tableInFragment(bomb)).rejects.toThrow('too large');
  });
});

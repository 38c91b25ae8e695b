/** One store among several tabs: what one writes another reads, whoever leads, and the lead passes on when a tab ends. */
import { call, expect, openTab, rowsOf, test } from '../support/harness.ts';

test('a table is there after a reload', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 'a/b', rows: [{ n: 1 }, { n: 2 }] });
  expect(await rowsOf(page, 'SELECT sum(n) FROM "a/b"')).toEqual([['3']]);
  await page.reload();
  await page.evaluate(async () => void (window.workspace = await window.stele.openWorkspace()));
  expect(await rowsOf(page, 'SELECT sum(n) FROM "a/b"')).toEqual([['3']]);
});

test('a second tab works through the first and takes over when it is closed', async ({ context, host }) => {
  const first = await openTab(context, host);
  const second = await openTab(context, host);
  expect(await first.evaluate(() => window.workspace.state.role)).toBe('leader');
  expect(await second.evaluate(() => window.workspace.state.role)).toBe('follower');
  await call(second, 'write_table', { table: 't', rows: [{ n: 1 }] });
  expect(await rowsOf(first, 'SELECT n FROM t')).toEqual([[1]]);
  await first.close();
  expect(await rowsOf(second, 'SELECT n FROM t')).toEqual([[1]]);
  expect(await second.evaluate(() => window.workspace.state.role)).toBe('leader');
});

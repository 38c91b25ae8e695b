/** A table's rows: sorted, filtered, searched, read whole, copied; and a million of them. */
import type { Page } from '@playwright/test';
import { expect, sampleAddress, saveQuery, test, visit } from '../support/app.ts';

const firstRow = (page: Page) => page.locator('st-grid tbody tr').first();
const cells = (page: Page, column: number) => page.locator(`st-grid tbody tr td[aria-colindex="${column}"]`);

test('a click on a head sorts, another turns, a third lets be; each is an address', async ({ read }) => {
  const page = await read();
  const head = page.getByRole('columnheader', { name: /^cups/ }).first();
  await head.getByRole('button', { name: /^cups/ }).click();
  await expect(page).toHaveURL(/\?asc=cups$/);
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(cells(page, 6).first()).toHaveText('1');
  await head.getByRole('button', { name: /^cups/ }).click();
  await expect(page).toHaveURL(/\?desc=cups$/);
  await expect(cells(page, 6).first()).toHaveText(/[67]/);
  await page.reload();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await head.getByRole('button', { name: /^cups/ }).click();
  await expect(page).toHaveURL(new RegExp(`${sampleAddress}$`));
});

test('a filter is set beside the head, shown, and taken away', async ({ read }) => {
  const page = await read();
  await page.getByRole('button', { name: 'Filter drink' }).click();
  await page.getByRole('button', { name: /espresso/ }).click();
  await expect(page.getByText(/^1\d\d of 360 rows$/)).toBeVisible();
  await expect(cells(page, 5).first()).toHaveText('espresso');
  await page.getByRole('button', { name: 'Filter cups' }).click();
  await page.getByLabel('Comparison').selectOption('>=');
  await page.getByRole('textbox', { name: 'Value' }).fill('5');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Remove: cups at least 5' })).toBeVisible();
  const count = page.locator('.rows-tools .count');
  await expect(count).toHaveText(/^\d\d of 360 rows$/);
  const narrow = await count.textContent();
  await page.reload();
  await expect(count).toHaveText(narrow!);
  await page.getByRole('button', { name: 'Remove: cups at least 5' }).click();
  await page.getByRole('button', { name: 'Remove: drink is espresso' }).click();
  await expect(page).toHaveURL(new RegExp(`${sampleAddress}$`));
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Remove: drink is espresso' })).toBeVisible();
});

test('a search finds rows by any column', async ({ read }) => {
  const page = await read();
  await page.getByRole('searchbox', { name: 'Search rows' }).fill('1042');
  await expect(page.getByText('1 of 360 rows')).toBeVisible();
  await expect(firstRow(page)).toContainText('1042');
  await page.getByRole('searchbox', { name: 'Search rows' }).fill('no such thing');
  const none = page.getByText('No row passes.');
  await expect(none).toBeVisible();
  const grid = (await page.locator('st-grid').boundingBox())!;
  expect((await none.boundingBox())!.y - grid.y - grid.height).toBeLessThan(60);
});

test('Enter opens a row whole, the arrows go on, Escape leads back to the cell', async ({ read }) => {
  const page = await read();
  await page.getByRole('gridcell', { name: '1001', exact: true }).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const record = page.getByRole('complementary', { name: 'Row 2' });
  await expect(record).toContainText('Paid without tip, in euros');
  await record.getByRole('button', { name: 'Next row' }).click();
  await expect(page.getByRole('complementary', { name: 'Row 3' })).toContainText('1003');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('complementary', { name: 'Row 3' })).toHaveCount(0);
  await expect(page.getByRole('gridcell', { name: '1003', exact: true })).toBeFocused();
});

test('what is selected is copied as tab-separated text', async ({ read }) => {
  const page = await read();
  await page.getByRole('gridcell', { name: '1001', exact: true }).click();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('ControlOrMeta+c');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^1001\t2026-01-05\n1002\t2026-01-0\d$/);
});

test('what is copied otherwise than it was asked is said, and so is what cannot be copied', async ({
  openWithSample,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await openWithSample();
  await saveQuery(page, 'SELECT range AS id FROM range(12000) ORDER BY id', 'odd/long');
  await visit(page, '/t/odd/long');
  await page.getByRole('gridcell', { name: '0', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+c');
  await expect(page.getByText('The first 10,000 of 12,000 rows were copied.')).toBeVisible();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([10_001, 'id', '0', '9999']);

  await page.getByRole('gridcell', { name: '5', exact: true }).dblclick();
  const record = page.getByRole('complementary', { name: 'Row 6' });
  await record.getByRole('button', { name: /^Copy/ }).click();
  await expect(page.getByText('Copied.', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('5');
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))));
  await record.getByRole('button', { name: /^Copy/ }).click();
  await expect(page.getByText('It could not be copied.')).toBeVisible();
});

test('a value is text, whatever it looks like', async ({ openWithSample }) => {
  const page = await openWithSample();
  await saveQuery(page, `SELECT '<img src=x onerror="document.title=1">' AS html, '=1+1' AS formula`, 'odd/values');
  await visit(page, '/t/odd/values');
  await expect(page.getByRole('gridcell', { name: '<img src=x' })).toBeVisible();
  await page.getByRole('gridcell', { name: '<img src=x' }).click();
  await page.keyboard.press('Enter');
  await expect(page.locator('.record')).toContainText('<img src=x onerror="document.title=1">');
  await expect(page.locator('main img')).toHaveCount(0);
});

test('columns keep their widths when longer values come into sight, and are cut by none of the edges', async ({
  openWithSample,
}) => {
  const page = await openWithSample();
  const sql = `SELECT range AS id, CASE WHEN range > 200 THEN repeat('long ', 9) ELSE 's' END AS note FROM range(600)`;
  await saveQuery(page, sql, 'odd/widths');
  await visit(page, '/t/odd/widths');
  const note = page.locator('st-grid tbody tr:nth-child(5) td[aria-colindex="3"]');
  await expect(note).toHaveText('s');
  const before = (await note.boundingBox())!;
  await note.click();
  await page.keyboard.press('Control+End');
  await expect(note).toContainText('long');
  expect((await note.boundingBox())!.width).toBe(before.width);
  const grid = (await page.locator('st-grid').boundingBox())!;
  expect(before.x + before.width).toBeLessThanOrEqual(grid.x + grid.width);
});

test('the grid is a grid to those who do not see it', async ({ read }) => {
  const page = await read();
  const grid = page.getByRole('grid', { name: 'samples/coffee-orders' });
  await expect(grid).toHaveAttribute('aria-rowcount', '363');
  await expect(grid).toHaveAttribute('aria-colcount', '9');
  await page.getByRole('gridcell', { name: '1001', exact: true }).click();
  await page.keyboard.press('Control+End');
  const last = page.locator('st-grid td:focus');
  await expect(last).toHaveAttribute('aria-colindex', '9');
  await expect(page.locator('st-grid tbody tr', { has: page.locator('td:focus') })).toHaveAttribute(
    'aria-rowindex',
    '363',
  );
});

test('a million rows: jumps show the rows that belong there', async ({ openWithSample, browser }) => {
  test.setTimeout(300_000);
  const page = await openWithSample();
  const sql = `SELECT a.range * 1000 + b.range AS id, 'name ' || (b.range * 7919 % 1000) AS name, a.range / 7 AS score,
    b.range % 2 = 0 AS even, DATE '2020-01-01' + CAST(b.range AS INT) AS day, b.range AS b, 'text ' || a.range AS t
    FROM range(1000) a, range(1000) b ORDER BY id`;
  await saveQuery(page, sql, 'big/million');
  await visit(page, '/t/big/million');
  await expect(page.getByRole('gridcell', { name: '0', exact: true }).first()).toBeVisible();
  await expect(page.locator('st-grid svg.spark').first()).toBeVisible({ timeout: 120_000 });

  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'blink.user_timing'] });
  const jumps = await page.evaluate(jumpAround, 40);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  for (const { row, id } of jumps) expect(id).toBe(row - 1);
  await page.getByRole('searchbox', { name: 'Search rows' }).fill('name 77');
  // While it is being found how many there are, none is said.
  await page.waitForFunction(
    () => document.querySelector('.busy') && document.querySelector('.rows-tools .count')!.textContent === '',
  );
  await expect(page.getByText('11,000 of 1,000,000 rows')).toBeVisible({ timeout: 60_000 });
  const work = redrawsOf(trace.traceEvents).sort((a, b) => a - b);
  const at = (share: number) => (work[Math.floor(work.length * share)]! / 1000).toFixed(1);
  console.log(
    `grid, 1 M rows: ${jumps.length} jumps, work of a redraw p50 ${at(0.5)} ms, p95 ${at(0.95)} ms of the main thread`,
  );
});

interface TraceEvent {
  name: string;
  ph: string;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

/** In the page: scrolls to random places, waits until the rows of each are there, and tells which they are. */
async function jumpAround(times: number): Promise<{ row: number; id: number }[]> {
  const table = document.querySelector('regular-table')!;
  const frame = () => new Promise(requestAnimationFrame);
  const numberOf = (text: string | null | undefined) => Number((text ?? '').replaceAll(',', ''));
  const seen: { row: number; id: number }[] = [];
  let seed = 7;
  for (let i = 0; i < times; ++i) {
    seed = (seed * 48_271) % 2_147_483_647;
    performance.mark(`jump-${i}`);
    table.scrollTop = (seed / 2_147_483_647) * (table.scrollHeight - table.clientHeight);
    for (let waited = 0; waited < 3; ++waited) await frame();
    while (table.querySelector('td[data-state="pending"]')) await frame();
    const row = table.querySelector('tbody tr:nth-child(3)')!;
    seen.push({
      row: numberOf(row.querySelector('th')!.textContent),
      id: numberOf(row.querySelector('td')!.textContent),
    });
  }
  return seen;
}

/** For each jump the longest piece of work of the page's main thread after it, in microseconds of that thread's own time. */
function redrawsOf(events: TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name.startsWith('jump-')).sort((a, b) => a.ts - b.ts);
  const tasks = events.filter(({ name, ph, tid }) => ph === 'X' && tid === marks[0]!.tid && /RunTask$/.test(name));
  return marks.map((mark, i) => {
    const end = marks[i + 1]?.ts ?? Infinity;
    return Math.max(0, ...tasks.filter(({ ts }) => ts > mark.ts && ts < end).map(({ tdur, dur }) => tdur ?? dur ?? 0));
  });
}

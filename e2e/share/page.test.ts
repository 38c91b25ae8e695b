/** The page of a shared table, for a stranger with nothing but the link. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page } from '@playwright/test';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from '../edge/support/client.ts';
import { barriers, browserExpect, complaints, launch, overflow, scriptBytes } from './support/chromium.ts';
import { hostile, rowCount, type SharedTable, shareTable, table } from './support/shared_table.ts';

const state = temporaryFolder(afterAll);
let shared: SharedTable;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let heard: string[];

beforeAll(async () => {
  shared = await shareTable(state);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await shared?.client.close();
  await shared?.edge.kill();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  page = await context.newPage();
  heard = complaints(page);
});
afterEach(() => context.close());

const cells = (column: number) =>
  page.locator(`st-grid tbody td[aria-colindex="${column + 2}"]`).filter({ visible: true });
const firstOf = (column: number) => cells(column).first();
const head = (name: string) => page.locator('st-grid').getByRole('button', { name, exact: true });
const open = async (search = '') => {
  await page.goto(shared.url + search);
  await page.locator('st-grid tbody td').first().waitFor();
};

describe('without a script', () => {
  test('the first rows are a plain table, and everything else is there', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(shared.url);
    await browserExpect(reader.getByRole('heading', { level: 1 })).toHaveText(table);
    await browserExpect(reader.locator('tbody tr')).toHaveCount(50);
    await browserExpect(reader.getByText('Orders <b>of</b> 2025')).toBeVisible();
    await browserExpect(reader.getByText('Euros, with tax')).toBeVisible();
    await browserExpect(reader.getByRole('cell', { name: hostile[0]! })).toBeVisible();
    await browserExpect(reader.getByRole('link', { name: 'CSV for spreadsheets' })).toBeVisible();
    await browserExpect(reader.getByText(`<stele-table src="${shared.apiUrl}"></stele-table>`)).toBeVisible();
    expect(await overflow(reader)).toBeLessThanOrEqual(0);
    await plain.close();
  });

  test('the answer names what a chat shows of a link, and asks to stay out of indexes', async () => {
    const response = await fetch(shared.url);
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe/);
    const text = await response.text();
    expect(text).toContain(`<meta property="og:title" content="${table}" />`);
    expect(text).toContain('<meta property="og:description" content="Orders &lt;b&gt;of&lt;/b&gt; 2025" />');
    expect(text).not.toMatch(/<script>window|onerror="/);
  });

  test('it is not sent again to who has it', async () => {
    const etag = (await fetch(shared.url)).headers.get('etag') ?? '';
    expect((await fetch(shared.url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

test('its scripts are less than 60 KB, compressed', async () => {
  const loading = scriptBytes(page);
  await open();
  await page.locator('.spark').first().waitFor();
  const bytes = await loading();
  console.log(`the scripts of a share page: ${bytes} bytes, gzip`);
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(60_000);
});

test('hostile cells are text', async () => {
  await open();
  for (const [i, text] of hostile.entries())
    await browserExpect(cells(3).nth(i)).toHaveText(text.length > 300 ? /^x{300}…$/ : text);
  await cells(3).nth(4).dblclick();
  await page.locator('.record .chosen dd bdi').waitFor();
  expect(await page.locator('.record .chosen dd bdi').evaluate(({ textContent }) => textContent)).toBe(hostile[4]);
  expect(await page.evaluate(() => Reflect.get(window, 'hurt') as unknown)).toBeUndefined();
  expect(heard).toEqual([]);
});

test('rows are sorted, filtered and searched, and the address says how', async () => {
  await open();
  await head('id').click();
  await head('id').click();
  await browserExpect(firstOf(0)).toHaveText(String(rowCount));
  await page.getByRole('button', { name: 'Filter city' }).click();
  await page
    .getByRole('dialog', { name: 'Filter' })
    .getByRole('button', { name: /Zürich/ })
    .click();
  await browserExpect(firstOf(1)).toHaveText('Zürich');
  await browserExpect(page.getByText(`${rowCount / 4} of 2,500 rows`)).toBeVisible();
  await page.reload();
  await browserExpect(firstOf(0)).toHaveText('2499');
  await page.getByRole('button', { name: 'Remove: city is Zürich' }).click();
  await browserExpect(firstOf(0)).toHaveText(String(rowCount));
  await page.goBack();
  await browserExpect(firstOf(0)).toHaveText('2499');
  await open();
  await page.keyboard.press('/');
  await page.keyboard.type('hyperlink');
  await browserExpect(page.getByText('1 of 2,500 rows')).toBeVisible();
  await browserExpect(firstOf(3)).toHaveText(hostile[2]!);
  await page.goto(`${shared.url}?desc=nowhere`);
  await browserExpect(page.getByRole('alert')).toContainText('nowhere');
});

test('all rows are reached by scrolling and by keys', async () => {
  await open();
  await firstOf(0).click();
  await page.keyboard.press('Control+ArrowDown');
  await browserExpect(page.locator('st-grid td:focus')).toHaveText(String(rowCount));
  await browserExpect(page.locator('st-grid tr:has(td:focus) th')).toHaveText('2,500');
  const grid = page.getByRole('grid', { name: table });
  await browserExpect(grid).toHaveAttribute('aria-rowcount', String(rowCount + 3));
  await browserExpect(grid).toHaveAttribute('aria-colcount', '5');
});

test('what columns hold is drawn in their heads', async () => {
  await open();
  await browserExpect(page.locator('st-grid .spark')).toHaveCount(3);
  await browserExpect(page.getByTitle('amount: Euros, with tax')).toBeVisible();
});

test('each format is downloaded whole; the one for spreadsheets marks formulas as text', async () => {
  await open();
  const downloaded = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const text = async (name: string) => (await downloaded(name)).bytes.toString('utf8');
  const exact = await downloaded('CSV');
  expect(exact.name).toBe('2025.csv');
  expect(exact.bytes.toString()).toContain('\r\n3,Zürich,0.5,"=HYPERLINK(""http');
  expect(exact.bytes.toString().trimEnd().split('\r\n')).toHaveLength(rowCount + 1);
  expect(await text('CSV for spreadsheets')).toContain('\r\n3,Zürich,0.5,"\'=HYPERLINK(""http');
  const json = JSON.parse(await text('JSON')) as { rows: unknown[]; next: unknown };
  expect(json.rows).toHaveLength(rowCount);
  expect(json.next).toBeNull();
  const lines = (await text('NDJSON')).trimEnd().split('\n');
  expect(lines).toHaveLength(rowCount);
  expect(JSON.parse(lines[4]!)).toEqual({ id: 5, city: 'Lisbon', amount: 1, note: hostile[4] });
  const parquet = await downloaded('Parquet');
  expect(parquet.name).toBe('2025.parquet');
  const file = parquet.bytes.buffer.slice(parquet.bytes.byteOffset, parquet.bytes.byteOffset + parquet.bytes.length);
  const objects = await parquetReadObjects({ file: file as ArrayBuffer });
  expect(objects).toHaveLength(rowCount);
  expect(objects[2]).toEqual({ id: 3n, city: 'Zürich', amount: 0.5, note: hostile[2] });
  const arrow = tableFromIPC((await downloaded('Arrow')).bytes);
  expect(arrow.numRows).toBe(rowCount);
  expect(arrow.get(4)?.toJSON()).toEqual({ id: 5n, city: 'Lisbon', amount: 1, note: hostile[4] });
});

test('what it gives to copy is copied whole, and works as it is', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open();
  const copied = async (title: string) => {
    await page.getByRole('button', { name: `Copy: ${title}` }).click();
    await browserExpect(page.getByRole('button', { name: `Copy: ${title}` })).toHaveText('Copied');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const { host } = new URL(shared.url);
  expect(await copied('Cite')).toBe(
    `“${table}”, version 1 (${new Date().toISOString().slice(0, 10)}), Stele at ${host}. ${shared.url}`,
  );
  const csv = execFileSync('sh', ['-c', await copied('curl')], { encoding: 'utf8', maxBuffer: 1 << 24 });
  expect(csv.trimEnd().split('\r\n')).toHaveLength(rowCount + 1);
  const [, parquetUrl = ''] = /read_parquet\("(.*)"\)/.exec(await copied('Python')) ?? [];
  expect(await parquetReadObjects({ file: await (await fetch(parquetUrl)).arrayBuffer() })).toHaveLength(rowCount);
  const answered = await page.evaluate(
    `(async () => { ${await copied('JavaScript')} return [columns, rows, next]; })()`,
  );
  expect(answered).toMatchObject([
    [{ name: 'id' }, {}, {}, {}],
    { length: 100 },
    expect.stringContaining('offset=100'),
  ]);
  expect(await copied('Embed')).toContain(`<stele-table src="${shared.apiUrl}"></stele-table>`);
});

test('is for everyone, on every screen', async () => {
  await open();
  await page.locator('.spark').first().waitFor();
  expect(await barriers(page)).toEqual([]);
  for (const width of [360, 2560]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await barriers(page, ['light'])).toEqual([]);
  await browserExpect(page.getByRole('searchbox', { name: 'Search rows' })).toBeInViewport();
  await browserExpect(firstOf(0)).toBeInViewport();
});

describe('while someone looks', () => {
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  test('a new version comes by itself, and nothing is asked for again before', async () => {
    await open();
    await page.locator('.spark').first().waitFor();
    const statuses: number[] = [];
    page.on('response', (response) => response.url() === shared.url && statuses.push(response.status()));
    await look();
    await browserExpect.poll(() => statuses).toEqual([304]);
    await call(shared.client, 'write_table', {
      table,
      mode: 'upsert',
      key_columns: ['id'],
      rows: [{ id: 1, city: 'Porto', amount: 9, note: 'changed' }],
    });
    await look();
    await browserExpect(page.getByText('Now at version 2.')).toBeVisible();
    await browserExpect(page.locator('#head')).toContainText('Version 2');
    await head('city').click();
    await head('city').click();
    await browserExpect(firstOf(1)).toHaveText('Zürich');
    await page.getByRole('searchbox').fill('changed');
    await browserExpect(firstOf(1)).toHaveText('Porto');
  });

  test('the page ends with the link', async () => {
    await open();
    await shared.owner.post('/w/main/shares/end', { token: shared.url.split('/').at(-1)! });
    await look();
    await browserExpect(page.getByText('no longer shared')).toBeVisible();
    await browserExpect(page.locator('st-grid')).toHaveCount(0);
    expect((await page.goto(shared.url))?.status()).toBe(404);
  });
});

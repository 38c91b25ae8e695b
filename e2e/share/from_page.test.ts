/** Shared from a tab: the page home publishes at an edge, later versions follow, and ending it on either side ends it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type Page, type Request } from '@playwright/test';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { LocalEdge } from '../edge/support/local_edge.ts';
import { Owner } from '../edge/support/owner.ts';
import { serveStatic, type StaticServer } from '../support/static_server.ts';
import { browserExpect, launch } from './support/chromium.ts';

const appFolder = fileURLToPath(new URL('../../build/web', import.meta.url));
const state = temporaryFolder(afterAll);
let edge: LocalEdge;
let owner: Owner;
let app: StaticServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let url: string;
/** What went to the edge: method and path after /published/TOKEN. */
const sent: string[] = [];
/** The last table that was described to the edge. */
let described = '';

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
  app = await serveStatic(appFolder, { fallback: '/index.html' });
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  context.on('request', (request: Request) => {
    const path = /\/published\/[\w-]+(.*)$/.exec(request.url())?.[1];
    if (path === '' && request.method() === 'POST') described = request.postData() ?? '';
    if (path !== undefined && request.method() !== 'OPTIONS')
      sent.push(`${request.method()} ${path.split('/')[2] ?? ''}`.trim());
  });
  await page.goto(app.origin);
  await page.getByRole('button', { name: 'Load the sample table' }).click();
  await page.getByRole('gridcell', { name: '1001', exact: true }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await edge?.kill();
});

const rowsOf = async (link: string) => {
  const response = await fetch(`${link}/rows?limit=1`);
  return response.ok
    ? ((await response.json()) as { table: string; version: number; total_rows: number })
    : response.status;
};
const share = async () => {
  await page.goto(`${app.origin}/t/samples/coffee-orders`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Share by link' }).click();
  return page.getByRole('dialog', { name: 'Share by link' });
};
const connect = async (token: string) => {
  await page.goto(`${app.origin}/shares`);
  await page.getByText('Connect an edge to share by link').click();
  await page.getByLabel('Address').fill(edge.origin);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
};

test('without an edge nothing is made up, and the way to one is named', async () => {
  const dialog = await share();
  await browserExpect(dialog).toContainText('in this browser alone');
  await browserExpect(dialog).not.toContainText('/s/');
  for (const way of ['“Put into a link”', '“Bundle for a website”', 'connect an edge'])
    await browserExpect(dialog).toContainText(way);
  for (const name of ['Put into a link…', 'Bundle for a website…'])
    await browserExpect(dialog.getByRole('button', { name })).toBeVisible();
  await dialog.getByRole('link', { name: 'Connect an edge' }).click();
  await browserExpect(page.getByRole('heading', { name: 'Shares' })).toBeVisible();
});

test('a token that does not serve connects nothing', async () => {
  await connect('stele_abc_def');
  await browserExpect(page.getByRole('alert')).toContainText('does not know this token');
  await connect(await owner.createToken({ scopes: ['read', 'write'] }));
  await browserExpect(page.getByRole('alert')).toContainText('scope share');
});

test('a table that is shared is public at the edge, for anyone with the link', async () => {
  await connect(await owner.createToken({ scopes: ['share'] }));
  await browserExpect(page.getByText('Published at')).toBeVisible();
  expect(sent).toEqual([]);
  const dialog = await share();
  url = (await dialog.locator('.copy-line code').first().textContent()) ?? '';
  expect(url).toMatch(new RegExp(`^${edge.origin}/w/main/s/[\\w-]{20,}$`));
  expect(await rowsOf(url)).toMatchObject({ table: 'samples/coffee-orders', total_rows: 360 });
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(url);
  await browserExpect(stranger.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible();
  await stranger.getByRole('button', { name: 'order_id', exact: true }).click();
  await stranger.getByRole('button', { name: 'order_id', exact: true }).click();
  await browserExpect(stranger.getByRole('gridcell', { name: '1360', exact: true })).toBeVisible();
  await stranger.getByRole('button', { name: 'Filter drink' }).click();
  await stranger.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: /chai/ }).click();
  await browserExpect(stranger.getByText(/^\d+ of 360 rows$/)).toBeVisible();
  const counts: Record<string, (bytes: Buffer<ArrayBuffer>) => number | Promise<number>> = {
    'CSV for spreadsheets': (bytes) => bytes.toString().trimEnd().split('\r\n').length - 1,
    CSV: (bytes) => bytes.toString().trimEnd().split('\r\n').length - 1,
    JSON: (bytes) => (JSON.parse(bytes.toString()) as { rows: [] }).rows.length,
    NDJSON: (bytes) => bytes.toString().trimEnd().split('\n').length,
    Parquet: async (bytes) => (await parquetReadObjects({ file: new Uint8Array(bytes).buffer })).length,
    Arrow: (bytes) => tableFromIPC(bytes).numRows,
  };
  for (const [name, count] of Object.entries(counts)) {
    const downloading = stranger.waitForEvent('download');
    await stranger.getByRole('link', { name, exact: true }).click();
    expect([name, await count(readFileSync(await (await downloading).path()))]).toEqual([name, 360]);
  }
  await stranger.context().close();
});

test('later versions follow by themselves, and only what the edge lacks travels', async () => {
  const before = (await rowsOf(url)) as { version: number };
  sent.length = 0;
  await page.goto(`${app.origin}/t/samples/coffee-orders`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('New path').fill('cafe/orders');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
  await browserExpect.poll(() => rowsOf(url)).toMatchObject({ table: 'cafe/orders', version: before.version });
  expect(sent).toEqual(['POST']);
  await page.goto(`${app.origin}/query?${new URLSearchParams({ sql: 'SELECT * FROM "cafe/orders" LIMIT 7' })}`);
  await page.getByLabel('Save as', { exact: true }).fill('cafe/orders');
  await page.getByRole('button', { name: 'Save as table' }).click();
  await browserExpect.poll(() => rowsOf(url)).toMatchObject({ version: before.version + 1, total_rows: 7 });
  expect(sent.slice(1)).toEqual(['POST', 'PUT 0', 'POST']);
});

test('what could not be reached follows when the tab is opened again', async () => {
  const { version } = (await rowsOf(url)) as { version: number };
  await edge.kill();
  await page.goto(`${app.origin}/query?${new URLSearchParams({ sql: 'SELECT * FROM "cafe/orders" LIMIT 5' })}`);
  await page.getByLabel('Save as', { exact: true }).fill('cafe/orders');
  await page.getByRole('button', { name: 'Save as table' }).click();
  await browserExpect(page.getByText('as cafe/orders, version')).toBeVisible();
  await edge.start();
  expect(await rowsOf(url)).toMatchObject({ version });
  await page.reload();
  await browserExpect
    .poll(() => rowsOf(url), { timeout: 20_000 })
    .toMatchObject({ version: version + 1, total_rows: 5 });
});

test('a link that the owner ends at the edge is ended in the tab too, and does not come back', async () => {
  const token = url.split('/').at(-1)!;
  expect(await (await owner.get('/w/main/shares')).text()).toContain('cafe/orders');
  expect((await owner.post('/w/main/shares/end', { token })).status).toBe(303);
  const headers = { authorization: `Bearer ${await owner.createToken({ scopes: ['share'] })}` };
  const again = await fetch(`${edge.origin}/w/main/published/${token}`, { method: 'POST', body: described, headers });
  expect([again.status, await again.json()]).toEqual([410, expect.objectContaining({ error: 'share_ended' })]);
  expect(await rowsOf(url)).toBe(404);
  await page.goto(`${app.origin}/query?${new URLSearchParams({ sql: 'SELECT * FROM "cafe/orders" LIMIT 3' })}`);
  await page.getByLabel('Save as', { exact: true }).fill('cafe/orders');
  await page.getByRole('button', { name: 'Save as table' }).click();
  await browserExpect(page.getByText('as cafe/orders, version')).toBeVisible();
  await page.goto(`${app.origin}/shares`);
  await browserExpect(page.getByText('Nothing is shared.')).toBeVisible();
  expect(await rowsOf(url)).toBe(404);
});

test('ending it in the tab ends it at the edge, and so does deleting the table', async () => {
  await page.goto(`${app.origin}/t/cafe/orders`);
  const shareAgain = async () => {
    await page.goto(`${app.origin}/t/cafe/orders`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Share by link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share by link' });
    return (await dialog.locator('.copy-line code').first().textContent()) ?? '';
  };
  const first = await shareAgain();
  expect(first).not.toBe(url);
  expect(await rowsOf(first)).toMatchObject({ table: 'cafe/orders' });
  await page.goto(`${app.origin}/shares`);
  await browserExpect(page.getByRole('link', { name: 'its public page' })).toHaveAttribute('href', first);
  await page.getByRole('button', { name: 'End' }).click();
  await browserExpect.poll(() => rowsOf(first)).toBe(404);
  const second = await shareAgain();
  expect(await rowsOf(second)).toMatchObject({ table: 'cafe/orders' });
  await page.goto(`${app.origin}/t/cafe/orders`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await browserExpect.poll(() => rowsOf(second)).toBe(404);
});

test('others cannot publish there', async () => {
  const place = `${edge.origin}/w/main/published/AAAAAAAAAAAAAAAAAAAAAA`;
  expect((await fetch(place, { method: 'POST', body: '{}' })).status).toBe(401);
  const bearer = async (scopes: string[], workspace = 'main') => ({
    authorization: `Bearer ${await owner.createToken({ scopes, workspace })}`,
  });
  expect((await fetch(place, { method: 'POST', body: '{}', headers: await bearer(['read', 'write']) })).status).toBe(
    403,
  );
  await owner.createWorkspace('other');
  expect((await fetch(place, { method: 'POST', body: '{}', headers: await bearer(['share'], 'other') })).status).toBe(
    404,
  );
  const headers = await bearer(['share']);
  for (const body of ['{}', 'no JSON', '{"token":"AAAAAAAAAAAAAAAAAAAAAA"}'])
    expect((await fetch(place, { method: 'POST', body, headers })).status).toBe(400);
  const large = { method: 'PUT', body: new Uint8Array((1 << 20) + 1), headers };
  expect((await fetch(`${place}/${'0'.repeat(64)}/0`, large)).status).toBe(413);
});

/** Receipts at the edge that a tab is connected to: listed in the app, withdrawn there, and what is said of each. */
import { fileURLToPath } from 'node:url';
import { type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect as connectClient } from '../edge/support/client.ts';
import { LocalEdge } from '../edge/support/local_edge.ts';
import { Owner } from '../edge/support/owner.ts';
import { serveStatic, type StaticServer } from '../support/static_server.ts';
import { barriers, browserExpect, launch } from './support/chromium.ts';

const appFolder = fileURLToPath(new URL('../../build/web', import.meta.url));
const state = temporaryFolder(afterAll);
const long = `SELECT 1 AS one /* ${'x'.repeat(2000)} */`;
let edge: LocalEdge;
let owner: Owner;
let app: StaticServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
  const client = await connectClient(`${edge.origin}/mcp`, await owner.createToken());
  await call(client, 'query', { sql: 'SELECT 41 + 1 AS answer', receipt: true });
  await call(client, 'query', { sql: long, receipt: true, message: 'A long one' });
  await client.close();
  app = await serveStatic(appFolder, { fallback: '/index.html' });
  browser = await launch();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await edge?.kill();
});

const list = () => page.locator('st-edge-receipts');
const row = (text: string) => list().locator('li').filter({ hasText: text });
const dialog = () => page.getByRole('dialog', { name: 'Withdraw' });
const openReceipts = () => page.goto(`${app.origin}/receipts`);

async function connect(scopes: string[]): Promise<void> {
  await page.goto(`${app.origin}/shares`);
  await page.getByText('Connect an edge to share by link').click();
  await page.getByLabel('Address').fill(edge.origin);
  await page.getByLabel('Token').fill(await owner.createToken({ scopes }));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await browserExpect(page.getByText('Published at')).toBeVisible();
}

/** Where the receipt's link leads, and what the edge answers there. */
async function placeOf(text: string): Promise<{ url: string; status: () => Promise<number> }> {
  const url = (await row(text).getByRole('link').getAttribute('href'))!;
  return { url, status: async () => (await fetch(`${url}.json`)).status };
}

test('without an edge, receipts of this browser alone are spoken of', async () => {
  await openReceipts();
  await browserExpect(page.getByText('No receipts yet')).toBeVisible();
  await browserExpect(list()).toHaveCount(0);
});

test('a token that may not read is told from an edge without receipts', async () => {
  await connect(['share']);
  await openReceipts();
  await browserExpect(list().getByRole('alert')).toContainText('may not read');
  await browserExpect(list().getByRole('link', { name: 'own page' })).toHaveAttribute(
    'href',
    `${edge.origin}/w/main/receipts`,
  );
  await browserExpect(list().locator('li')).toHaveCount(0);
});

test('receipts are listed with what of each no withdrawal reaches', async () => {
  await page.goto(`${app.origin}/shares`);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await connect(['read', 'share']);
  await openReceipts();
  await browserExpect(list().locator('li')).toHaveCount(2);
  await browserExpect(row('SELECT 41')).toContainText('1 row from no table');
  await browserExpect(row('SELECT 41')).toContainText('Its link carries it whole');
  await browserExpect(row('A long one')).not.toContainText('carries it whole');
  await browserExpect(row('A long one')).toContainText('Copies that people have cannot be recalled');
  const { url, status } = await placeOf('SELECT 41');
  expect(url).toMatch(new RegExp(`^${edge.origin}/w/main/r/[\\w-]+$`));
  expect(await status()).toBe(200);
  expect(await barriers(page)).toEqual([]);
});

test('a withdrawal that fails is told where it was asked for, and changes nothing', async () => {
  await edge.kill();
  await row('A long one').getByRole('button').click();
  await dialog().getByRole('button', { name: 'Withdraw' }).click();
  await browserExpect(dialog().getByRole('alert')).toContainText('could not be reached');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await browserExpect(list().locator('li')).toHaveCount(2);
  await openReceipts();
  await browserExpect(list().getByRole('alert')).toContainText('could not be reached');
  await edge.start();
  await list().getByRole('button', { name: 'Try again' }).click();
  await browserExpect(list().locator('li')).toHaveCount(2);
});

test('one that is withdrawn is gone here and there, and the other stays', async () => {
  const gone = await placeOf('A long one');
  const stays = await placeOf('SELECT 41');
  await row('A long one').getByRole('button').click();
  await browserExpect(dialog()).toContainText('cannot be undone');
  await browserExpect(dialog()).toContainText('A long one');
  expect(await gone.status()).toBe(200);
  await dialog().getByRole('button', { name: 'Withdraw' }).click();
  await browserExpect(row('A long one')).toHaveCount(0);
  await browserExpect(page.getByText(`Withdrawn at ${new URL(edge.origin).host}.`)).toBeVisible();
  expect([await gone.status(), await stays.status()]).toEqual([404, 200]);
  const lead = await (await owner.get('/w/main/receipts')).text();
  expect(lead).not.toContain('A long one');
  expect(lead).toContain('carried whole by its link');
});

test('where tables lie is said with what of them is public elsewhere', async () => {
  await page.goto(`${app.origin}/storage`);
  await browserExpect(page.getByText('on this device, and nowhere else')).toBeVisible();
  await page.goto(app.origin);
  await page.getByRole('button', { name: 'Load the sample table' }).click();
  await page.getByRole('gridcell', { name: '1001', exact: true }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Share by link' }).click();
  await browserExpect(page.getByRole('dialog').locator('.copy-line').first()).toBeVisible();
  await page.goto(`${app.origin}/storage`);
  await browserExpect(page.getByText(`public at ${new URL(edge.origin).host}`)).toBeVisible();
  await browserExpect(page.getByText('nowhere else')).toHaveCount(0);
  await openReceipts();
});

test('who may not read lists none, who may not share withdraws none, and no token reaches another workspace', async () => {
  const { url, status } = await placeOf('SELECT 41');
  const place = `${edge.origin}/w/main/published/receipts`;
  const id = url.split('/').at(-1)!;
  await owner.createWorkspace('other');
  const asked = async (path: string, method: string, scopes?: string[], workspace = 'main') => {
    const headers = scopes && { authorization: `Bearer ${await owner.createToken({ scopes, workspace })}` };
    return (await fetch(place + path, { method, ...(headers ? { headers } : {}) })).status;
  };
  expect(await asked('', 'GET')).toBe(401);
  expect(await asked('', 'GET', ['share'])).toBe(403);
  expect(await asked('', 'GET', ['read', 'share'], 'other')).toBe(404);
  expect(await asked('', 'GET', ['read', 'share'])).toBe(200);
  expect(await asked(`/${id}`, 'DELETE')).toBe(401);
  expect(await asked(`/${id}`, 'DELETE', ['read', 'write'])).toBe(403);
  expect(await asked(`/${id}`, 'DELETE', ['share'], 'other')).toBe(404);
  expect(await status()).toBe(200);
  expect(await asked(`/${id}`, 'DELETE', ['share'])).toBe(204);
  expect(await status()).toBe(404);
});

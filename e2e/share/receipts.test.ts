/** A receipt at the edge, for whoever has its link: opened, checked, run again by the server, changed, forged, withdrawn. */
import { createHash } from 'node:crypto';
import { type Browser, type BrowserContext, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from '../edge/support/client.ts';
import { barriers, browserExpect, complaints, launch, overflow } from './support/chromium.ts';
import { hostile, rowCount, type SharedTable, shareTable, table } from './support/shared_table.ts';

const state = temporaryFolder(afterAll);
let shared: SharedTable;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let heard: string[];

interface Made {
  id: string;
  /** At the server, and as the answer gave it. */
  url: string;
  link: string;
}

async function make(sql: string): Promise<Made> {
  const { receipt } = await call(shared.client, 'query', { sql, receipt: true });
  const { id, url: link } = receipt as { id: string; url: string };
  return { id, url: `${shared.edge.origin}/w/main/r/${id}`, link };
}

let figure: Made;
let rows: Made;
let long: Made;
beforeAll(async () => {
  shared = await shareTable(state);
  figure = await make(`SELECT count(*) AS orders FROM "${table}"`);
  rows = await make(`SELECT city, count(*) AS n FROM "${table}" GROUP BY ALL ORDER BY city`);
  long = await make(`SELECT id, note FROM "${table}" WHERE id < 5 /* ${'x'.repeat(2000)} */`);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await shared?.client.close();
  await shared?.edge.kill();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  page = await context.newPage();
  heard = complaints(page);
});
afterEach(() => context.close());

const shown = () => page.frameLocator('iframe');
const host = () => new URL(shared.edge.origin).host;
const documentOf = async ({ url }: Made) => (await (await fetch(`${url}.json`)).json()) as Record<string, string>;
const openWhole = (receipt: object) => {
  const fragment = Buffer.from(JSON.stringify(receipt)).toString('base64url');
  return page.goto(`${shared.edge.origin}/w/main/r#${fragment}`);
};

test('its page shows the figure, who vouches for the key, and at one tap that the rows are the same', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  // A short one travels whole in the link that a chat shows.
  expect(figure.link).toContain('/w/main/r#');
  await page.goto(figure.link);
  await browserExpect(shown().getByText(String(rowCount), { exact: true })).toBeInViewport();
  await browserExpect(shown().getByText(`${host()} vouches for this key.`)).toBeInViewport();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await shown().getByRole('button', { name: 'Run it again' }).click();
  await browserExpect(
    shown().getByText(`Re-run just now by ${host()} on the same versions: same 1 row.`),
  ).toBeVisible();
  expect(heard).toEqual([]);
});

test('one too long for a link opens from the server, hostile cells and all as text', async () => {
  expect(long.link).toBe(long.url);
  await page.goto(long.link);
  for (const text of hostile.slice(0, 4)) await browserExpect(shown().getByRole('cell', { name: text })).toBeVisible();
  await browserExpect(shown().getByText('vouches for this key')).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'hurt') as unknown)).toBeUndefined();
  expect(heard).toEqual([]);
  expect(await barriers(page)).toEqual([]);
});

test('without a script it says what it holds, and that nothing was checked', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const reader = await plain.newPage();
  await reader.goto(rows.url);
  await browserExpect(reader.getByText('Nothing of this was checked')).toBeVisible();
  await browserExpect(reader.getByRole('cell', { name: 'Zürich' })).toBeVisible();
  await plain.close();
  const response = await fetch(figure.url);
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(await response.text()).toContain(`<meta property="og:title" content="orders: ${rowCount}" />`);
});

test('its document is for programs of any origin, and its key is published', async () => {
  const response = await fetch(`${rows.url}.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const receipt = (await response.json()) as Record<string, string>;
  expect(createHash('sha256').update(receipt.document!).digest('hex')).toBe(receipt.digest);
  const { keys } = (await (await fetch(`${shared.edge.origin}/.well-known/stele/keys.json`)).json()) as {
    keys: { public_key: string }[];
  };
  const raw = Buffer.from(keys[0]!.public_key, 'base64url');
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  const signature = Buffer.from(receipt.signature!, 'base64url');
  expect(await crypto.subtle.verify('Ed25519', key, signature, Buffer.from(receipt.digest!))).toBe(true);
});

describe('is never called what it is not', () => {
  test('with any one byte of its document altered', async () => {
    const receipt = await documentOf(rows);
    const figures = receipt.document!.indexOf(String(rowCount / 4));
    for (const at of [0, figures, receipt.document!.length - 1]) {
      const { document } = receipt;
      const other = document!.charCodeAt(at) ^ 1;
      const altered = document!.slice(0, at) + String.fromCharCode(other) + document!.slice(at + 1);
      await openWhole({ ...receipt, document: altered });
      await browserExpect(shown().getByText(/^Changed$|not a receipt, or its link is damaged/)).toBeVisible();
      await browserExpect(shown().getByText('vouches for')).toHaveCount(0);
      await page.goto('about:blank');
    }
  });

  test('with its digest and signature altered', async () => {
    const receipt = await documentOf(rows);
    const signature = Buffer.from(receipt.signature!, 'base64url');
    signature[10]! ^= 1;
    await openWhole({ ...receipt, signature: signature.toString('base64url') });
    await browserExpect(shown().getByText('Forged', { exact: true })).toBeVisible();
    // The next link in the same tab is another receipt, though only the fragment differs.
    await openWhole(receipt);
    await browserExpect(shown().getByText('vouches for this key')).toBeVisible();
    const document = receipt.document!.replace(String(rowCount / 4), '999999');
    const digest = createHash('sha256').update(document).digest('hex');
    await openWhole({ ...receipt, document, digest });
    await browserExpect(shown().getByText('Forged', { exact: true })).toBeVisible();
    await browserExpect(shown().getByRole('button', { name: 'Cite' })).toHaveCount(0);
  });

  test('forged with a fresh key: nobody vouches for it, and the server does not run it', async () => {
    const receipt = await documentOf(rows);
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
    const document = receipt.document!.replace(String(rowCount / 4), '999999');
    const digest = createHash('sha256').update(document).digest('hex');
    const forged = {
      ...receipt,
      document,
      digest,
      signature: Buffer.from(await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(digest))).toString(
        'base64url',
      ),
      public_key: Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64url'),
    };
    await openWhole(forged);
    await browserExpect(shown().getByText('Signed by an unknown key')).toBeVisible();
    await browserExpect(shown().getByText('Nobody vouches for this key')).toBeVisible();
    await browserExpect(shown().locator('.said.good')).toHaveCount(0);
    await shown().getByRole('button', { name: 'Run it again' }).click();
    await browserExpect(shown().getByText('This server keeps another receipt under this name.')).toBeVisible();
    // Nor with the key that it names put to one that is vouched for.
    await page.goto('about:blank');
    await openWhole({ ...forged, public_key: receipt.public_key });
    await browserExpect(shown().getByText('Forged', { exact: true })).toBeVisible();
  });
});

describe('run again by the server', () => {
  const again = async ({ url }: Made) => (await fetch(`${url}/rerun`, { method: 'POST' })).json() as Promise<object>;
  let before: Made;

  test('is the same after later versions and a new name', async () => {
    before = await make(`SELECT sum(amount) AS total FROM "${table}"`);
    await call(shared.client, 'write_table', {
      table,
      mode: 'append',
      rows: [{ id: 9999, city: 'Oslo', amount: 1e6, note: null }],
    });
    expect(await again(before)).toEqual({ kind: 'same', rows: 1, isReordered: false, by: host() });
    await call(shared.client, 'update_table_info', { table, rename_to: 'sales/renamed' });
    expect(await again(before)).toMatchObject({ kind: 'same', rows: 1 });
    await call(shared.client, 'write_table', { table, rows: [{ amount: 7 }] });
    expect(await again(before)).toMatchObject({ kind: 'same', rows: 1 });
  });

  test('is the same where the query names its table without quotes', async () => {
    const birds = { table: 'birds', rows: [{ n: 3 }, { n: 5 }] };
    await call(shared.client, 'write_table', birds);
    const made = await make('SELECT sum(birds.n) AS n FROM birds');
    await call(shared.client, 'write_table', { ...birds, mode: 'append' });
    expect(await again(made)).toMatchObject({ kind: 'same', rows: 1 });
  });

  test('is bounded', async () => {
    const statuses = [];
    for (let i = 0; i < 8; ++i) statuses.push((await fetch(`${before.url}/rerun`, { method: 'POST' })).status);
    expect(statuses).toContain(429);
    expect((await fetch(`${before.url}/rerun`)).status).toBe(405);
  });

  test('outlives its table, of which it then says that it is gone', async () => {
    await call(shared.client, 'delete_table', { table: 'sales/renamed' });
    expect((await fetch(before.url)).status).toBe(200);
    expect(await again(figure)).toMatchObject({
      kind: 'impossible',
      why: expect.stringContaining('not here any more'),
    });
  });
});

test('the owner withdraws one, and its link leads nowhere', async () => {
  const list = await (await shared.owner.get('/w/main/receipts')).text();
  expect(list).toContain(`/w/main/r/${rows.id}`);
  const { id } = rows;
  const foreign = await shared.owner.post('/w/main/receipts/withdraw', { id }, { origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
  expect((await fetch(`${shared.edge.origin}/w/main/receipts`)).status).toBe(404);
  expect((await fetch(`${rows.url}.json`)).status).toBe(200);
  expect((await shared.owner.post('/w/main/receipts/withdraw', { id })).status).toBe(303);
  expect([(await fetch(rows.url)).status, (await fetch(`${rows.url}.json`)).status]).toEqual([404, 404]);
  await page.goto(rows.url);
  await browserExpect(shown().getByText('There is no receipt at this address.')).toBeVisible();
  expect(await (await shared.owner.get('/w/main/receipts')).text()).not.toContain(id);
});

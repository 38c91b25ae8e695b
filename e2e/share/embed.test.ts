/** The embed in a static site on another origin: the very site of docs/example-site, and pages that try it harder. */
import { createHash } from 'node:crypto';
import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type Page } from '@playwright/test';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from '../edge/support/client.ts';
import { serveStatic, type StaticServer } from '../support/static_server.ts';
import { barriers, browserExpect, complaints, launch, overflow, scriptBytes } from './support/chromium.ts';
import { hostile, rowCount, type SharedTable, shareTable, table } from './support/shared_table.ts';

const state = temporaryFolder(afterAll);
const site = temporaryFolder(afterAll);
const example = fileURLToPath(new URL('../../docs/example-site/', import.meta.url));
let shared: SharedTable;
let other: StaticServer;
let exampleSite: StaticServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let heard: string[];
let receipt: Record<string, string>;
let receiptUrl: string;

beforeAll(async () => {
  shared = await shareTable(state);
  [other, exampleSite] = [await serveStatic(site), await serveStatic(example, { ranges: true })];
  const answer = await call(shared.client, 'query', {
    sql: `SELECT city, count(*) AS n FROM "${table}" GROUP BY ALL ORDER BY city`,
    receipt: true,
  });
  const { id } = answer.receipt as { id: string };
  receiptUrl = `${shared.edge.origin}/w/main/r/${id}`;
  receipt = (await (await fetch(`${receiptUrl}.json`)).json()) as Record<string, string>;
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([other?.close(), exampleSite?.close(), shared?.client.close()]);
  await shared?.edge.kill();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 900, height: 800 } });
  page = await context.newPage();
  heard = complaints(page);
});
afterEach(() => context.close());

/** A page of the other origin with this in its body. */
async function open(body: string, name = 'page.html'): Promise<void> {
  const script = `<script type="module" src="${shared.edge.origin}/assets/embed.js"></script>`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Other</title>${script}</head><body>${body}</body></html>`;
  writeFileSync(join(site, name), html);
  await page.goto(`${other.origin}/${name}`);
}
const cells = (column: number) =>
  page.locator(`st-grid tbody td[aria-colindex="${column + 2}"]`).filter({ visible: true });
const texts = async (column: number) => {
  await cells(column).first().waitFor();
  return cells(column).allTextContents();
};

test('the example site shows what lies beside it and what comes from a Stele', async () => {
  const { pathname } = new URL(shared.url);
  await context.route('https://stele.example/**', async (route) => {
    const { pathname: asked, search } = new URL(route.request().url());
    const real = asked
      .replace('/w/main/s/EXAMPLE_TOKEN_0000000', pathname)
      .replace('/w/main/r/EXAMPLE', new URL(receiptUrl).pathname);
    const response = await fetch(shared.edge.origin + real + search, { headers: { accept: 'application/json' } });
    // A body that fetch unpacked is not compressed any more.
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => !/^content-(length|encoding)/.test(name)),
    );
    await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) });
  });
  await page.goto(exampleSite.origin);
  const grid = (name: string) => page.getByRole('grid', { name, exact: true });
  const cell = (name: string, row: number, column: number) =>
    grid(name).locator('tbody tr').nth(row).locator('td').nth(column);
  await browserExpect(cell('Sales', 0, 0)).toHaveText(String(rowCount));
  await browserExpect(cell('Ports', 0, 0)).toHaveText('Aberdeen');
  await browserExpect(cell('Ports', 3, 4)).toHaveText('The "Nieuwe Diep"');
  await browserExpect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1–5 of 11');
  await browserExpect(cell('Ships', 0, 2)).toHaveText('1000.00');
  await browserExpect(cell('Ships', 1, 6)).toHaveText('9007199254740994');
  await browserExpect(cell('Pilots', 0, 2)).toHaveText('["Cuxhaven","Esbjerg"]');
  await browserExpect(page.locator('stele-receipt').getByText('vouches for this key')).toBeVisible();
  expect(heard).toEqual([]);
  expect(await barriers(page, ['light'])).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

describe('a table by its api_url', () => {
  test('shows columns, order and filter as its attributes say, and where it comes from', async () => {
    await open(
      `<stele-table src="${shared.apiUrl}" columns="city,id" sort="-id" filter="city.eq.Oslo; id.lt.100"></stele-table>`,
    );
    expect((await texts(0))[0]).toBe('Oslo');
    expect((await texts(1)).slice(0, 2)).toEqual(['98', '94']);
    await browserExpect(page.locator('st-grid .spark').first()).toBeVisible();
    const source = page.locator('stele-table').getByRole('link', { name: new URL(shared.url).host });
    await browserExpect(source).toHaveAttribute('href', shared.url);
    await browserExpect(page.locator('stele-table').getByText('2,500 rows, version 1')).toBeVisible();
    await page.locator('stele-table').evaluate((element) => element.setAttribute('sort', 'id'));
    await browserExpect(cells(1).first()).toHaveText('2');
  });

  test('loads less than 40 KB of script, and no reader of files', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const loading = scriptBytes(page);
    await open(`<stele-table src="${shared.apiUrl}"></stele-table>`);
    await texts(0);
    const bytes = await loading();
    console.log(`the scripts of an embedded table: ${bytes} bytes, gzip`);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(40_000);
    expect(asked.join()).not.toMatch(/parquet|text_file/);
  });

  test('shows hostile cells as text', async () => {
    await open(`<stele-table src="${shared.apiUrl}" columns="note"></stele-table>`);
    for (const [i, text] of hostile.entries())
      await browserExpect(cells(0).nth(i)).toHaveText(text.length > 300 ? /^x{300}…$/ : text);
    expect(await page.evaluate(() => Reflect.get(window, 'hurt') as unknown)).toBeUndefined();
  });

  test('goes page by page where it is told so, and each page numbers its rows', async () => {
    await open(`<stele-table src="${shared.apiUrl}" page-size="4" columns="id"></stele-table>`);
    expect(await texts(0)).toEqual(['1', '2', '3', '4']);
    await page.getByRole('button', { name: 'Next' }).click();
    await browserExpect(page.getByText('5–8 of 2,500')).toBeVisible();
    expect(await texts(0)).toEqual(['5', '6', '7', '8']);
    await browserExpect(page.locator('st-grid tbody th').first()).toHaveText('5');
    await page.getByRole('searchbox').fill('hyperlink');
    await browserExpect(page.getByText('1–1 of 1', { exact: true })).toBeVisible();
    await browserExpect(page.getByText('1 of 2,500 rows')).toBeVisible();
    expect(await texts(0)).toEqual(['3']);
  });

  test('says what it loads, and keeps what the page has in its place until the rows are there', async () => {
    const within = '<p id="before">Rows of last week</p>';
    const before = page.locator('#before');
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await context.route(`${shared.apiUrl}*`, async (route) => {
      await asked;
      await route.continue();
    });
    await open(`<stele-table src="${shared.apiUrl}" columns="id">${within}</stele-table>`);
    await browserExpect(page.getByText(`Loading ${new URL(shared.url).host} …`)).toBeVisible();
    await browserExpect(before).toBeVisible();
    answer();
    await texts(0);
    await browserExpect(before).toBeHidden();
    await page.locator('stele-table').evaluate((element) => element.setAttribute('filter', 'nonsense'));
    await browserExpect(page.getByRole('alert')).toBeVisible();
    await browserExpect(before).toBeVisible();
  });

  test('says what is wrong, and where it looked', async () => {
    await open(`<stele-table src="${shared.apiUrl.replace(/\/s\/[^/]+/, '/s/nothing_is_here_00')}"></stele-table>`);
    await browserExpect(page.getByRole('alert')).toContainText('There is no shared table here.');
    await open('<stele-table src="http://127.0.0.1:9/w/main/s/x/rows"></stele-table>');
    await browserExpect(page.getByRole('alert')).toContainText('127.0.0.1:9 could not be reached.');
    await open('<stele-table></stele-table>');
    await browserExpect(page.getByRole('alert')).toContainText('names no address');
    await open('<stele-table src="javascript:alert(1)"></stele-table>');
    await browserExpect(page.getByRole('alert')).toContainText('names no address');
    await open(`<stele-table src="${shared.apiUrl}" filter="nonsense"></stele-table>`);
    await browserExpect(page.getByRole('alert')).toContainText('"nonsense" is no filter');
    await browserExpect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

describe('looks', () => {
  const style =
    '<style>button,input,td,p{background:rgb(255,0,0)} h1{color:rgb(0,0,255)} stele-table{--st-accent:rgb(1,2,3)} stele-table::part(footer){font-weight:700}</style>';

  test('neither page’s styles reach the other; properties and parts do', async () => {
    await open(
      `${style}<h1>Site</h1><button>Mine</button><p class="quiet facts page record menu">Text</p><stele-table src="${shared.apiUrl}" page-size="3"></stele-table>`,
    );
    await texts(0);
    const of = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    expect(await of('body > button', 'background-color')).toBe('rgb(255, 0, 0)');
    expect(await of('body > button', 'border-radius')).toBe('0px');
    expect(await of('h1', 'color')).toBe('rgb(0, 0, 255)');
    expect(await of('body > p', 'display')).toBe('block');
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--st-paper'))).toBe(
      '',
    );
    expect(await page.evaluate(() => [document.styleSheets.length, document.adoptedStyleSheets.length])).toEqual([
      1, 0,
    ]);
    expect(await of('stele-table .pager button', 'background-color')).not.toBe('rgb(255, 0, 0)');
    expect(await of('stele-table td', 'background-color')).not.toBe('rgb(255, 0, 0)');
    expect(await of('stele-table .pager button:not([disabled])', 'color')).toBe('rgb(1, 2, 3)');
    expect(await of('stele-table .footer', 'font-weight')).toBe('700');
  });

  test('theme and height are the element’s; without a theme the page says light or dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(
      `<stele-table src="${shared.apiUrl}" height="200" id="plain"></stele-table><stele-table src="${shared.apiUrl}" theme="dark" id="dark"></stele-table><stele-table src="${shared.apiUrl}" theme="auto" id="auto"></stele-table>`,
    );
    await page.locator('#auto td').first().waitFor();
    const background = (id: string) =>
      page.locator(id).evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await background('#plain')).toBe('rgb(255, 255, 255)');
    expect(await background('#dark')).toBe('rgb(21, 23, 26)');
    expect(await background('#auto')).toBe('rgb(21, 23, 26)');
    expect((await page.locator('#plain st-grid').boundingBox())?.height).toBe(200);
  });

  test('the grid has its keys within the shadow root', async () => {
    await open(`<stele-table src="${shared.apiUrl}" columns="id"></stele-table>`);
    await cells(0).first().click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await browserExpect(page.locator('st-grid td:focus')).toHaveText('3');
    await page.keyboard.press('Enter');
    await browserExpect(page.getByRole('complementary', { name: 'Row 3' })).toBeVisible();
    await page.keyboard.press('Escape');
    await browserExpect(page.locator('st-grid td:focus')).toHaveText('3');
  });
});

describe('a file beside the page', () => {
  test.each(['snappy', 'zstd', 'gzip', 'uncompressed'])(
    'as Parquet in %s is read, sorted and searched',
    async (codec) => {
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const file = `${codec}.parquet`;
      await connection.run(
        `COPY (SELECT i AS id, 'row ' || i AS name, (-i * 0.25)::DECIMAL(30,4) AS cost, TIMESTAMP '2026-01-01 00:00:00.000001' + INTERVAL (i) SECOND AS at, [i, NULL] AS list FROM range(5000) r(i)) TO '${join(site, file)}' (FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048)`,
      );
      await open(`<stele-table src="${file}"></stele-table>`);
      expect((await texts(0))[0]).toBe('0');
      await browserExpect(cells(2).nth(3)).toHaveText('-0.7500');
      await browserExpect(cells(3).nth(1)).toHaveText('2026-01-01 00:00:01.000001');
      await browserExpect(cells(4).first()).toHaveText('[0,null]');
      await page.getByRole('searchbox').fill('row 4999');
      await browserExpect(cells(0).first()).toHaveText('4999');
      await page.getByRole('searchbox').fill('');
      await page.getByRole('button', { name: 'cost', exact: true }).click();
      await browserExpect(cells(2).first()).toHaveText('-1249.7500');
    },
  );

  test('as Parquet is read in parts where the host answers ranges', async () => {
    const ranged = await serveStatic(site, { ranges: true });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const file = join(site, 'large.parquet');
    await connection.run(
      `COPY (SELECT i AS id, md5(i::VARCHAR) AS digest FROM range(200000) r(i)) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`,
    );
    await open('<stele-table src="large.parquet" height="200"></stele-table>', 'ranged.html');
    let bytes = 0;
    page.on('response', (response) => {
      if (response.status() === 206) bytes += Number(response.headers()['content-length']);
    });
    await page.goto(`${ranged.origin}/ranged.html`);
    expect((await texts(0))[0]).toBe('0');
    await cells(0).first().click();
    await page.keyboard.press('Control+ArrowDown');
    await browserExpect(page.locator('st-grid td:focus')).toHaveText('199999');
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(statSync(file).size / 3);
    await ranged.close();
  });

  test('as CSV keeps what looks like a number and is none', async () => {
    writeFileSync(join(site, 'codes.csv'), '\uFEFFcode;n;note\r\n007;10;"a;b\r\nc"\r\n008;9;\r\n+1;100;""\r\n');
    await open('<stele-table src="codes.csv" sort="n"></stele-table>');
    expect(await texts(0)).toEqual(['008', '007', '+1']);
    expect(await texts(2)).toEqual(['null', 'a;b\r\nc', '']);
    await browserExpect(page.locator('st-grid thead')).toContainText('integer');
  });

  test('as NDJSON, as JSON of an api_url, and as neither', async () => {
    writeFileSync(join(site, 'lines.ndjson'), '{"a":1}\n{"b":"x","a":null}\n');
    await open('<stele-table src="lines.ndjson"></stele-table>');
    expect([await texts(0), await texts(1)]).toEqual([
      ['1', 'null'],
      ['null', 'x'],
    ]);
    writeFileSync(join(site, 'saved.json'), await (await fetch(`${shared.apiUrl}?limit=3`)).text());
    await open('<stele-table src="saved.json"></stele-table>');
    expect(await texts(0)).toEqual(['1', '2', '3']);
    writeFileSync(join(site, 'wrong.json'), '"text"');
    await open('<stele-table src="wrong.json"></stele-table>');
    await browserExpect(page.getByRole('alert')).toContainText('no list of objects');
  });
});

describe('a receipt', () => {
  const shown = () => page.locator('stele-receipt');
  /** Beside the page, changed. */
  const changed = async (change: (receipt: Record<string, string>) => void) => {
    const copy = { ...receipt };
    change(copy);
    writeFileSync(join(site, 'receipt.json'), JSON.stringify(copy));
    await open('<stele-receipt src="receipt.json"></stele-receipt>');
  };
  const sealedAnew = async (copy: Record<string, string>) => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
    copy.digest = createHash('sha256').update(copy.document!).digest('hex');
    const signature = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(copy.digest));
    copy.signature = Buffer.from(signature).toString('base64url');
    copy.public_key = Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64url');
  };

  test('of a Stele is checked here, and says who vouches', async () => {
    await open(`<stele-receipt src="${receiptUrl}"></stele-receipt>`);
    await browserExpect(shown().getByText(`${new URL(receiptUrl).host} vouches for this key`)).toBeVisible();
    await browserExpect(shown().getByText('GROUP BY ALL')).toBeVisible();
    await browserExpect(shown().getByRole('link')).toHaveAttribute('href', receiptUrl);
    expect(await barriers(page)).toEqual([]);
  });

  test('with one byte altered is called changed', async () => {
    await changed((copy) => (copy.document = copy.document!.replace(String(rowCount / 4), String(rowCount / 4 + 1))));
    await browserExpect(shown().getByText('Changed', { exact: true })).toBeVisible();
    await browserExpect(shown().getByRole('button', { name: 'Cite' })).toHaveCount(0);
  });

  test('forged with a fresh key is vouched for by nobody, wherever it lies', async () => {
    const copy = { ...receipt, document: receipt.document!.replace(String(rowCount / 4), '999999') };
    await sealedAnew(copy);
    await changed((written) => Object.assign(written, copy));
    await browserExpect(shown().getByText('Signed by an unknown key')).toBeVisible();
    await browserExpect(shown().getByText('Nobody vouches for this key')).toBeVisible();
    const fragment = Buffer.from(JSON.stringify(copy)).toString('base64url');
    await open(`<stele-receipt src="${shared.edge.origin}/w/main/r#${fragment}"></stele-receipt>`);
    await browserExpect(shown().getByText('Signed by an unknown key')).toBeVisible();
    await browserExpect(shown().getByText('vouched for by')).toHaveCount(0);
  });

  test('that is none is called none', async () => {
    copyFileSync(join(example, 'pilots.json'), join(site, 'receipt.json'));
    await open('<stele-receipt src="receipt.json"></stele-receipt>');
    await browserExpect(page.getByRole('alert')).toBeVisible();
    await open(`<stele-receipt src="${receiptUrl}x"></stele-receipt>`);
    await browserExpect(page.getByRole('alert')).toContainText('answered 404');
  });

  test('loads less than 40 KB of script', async () => {
    const loading = scriptBytes(page);
    await open(`<stele-receipt src="${receiptUrl}"></stele-receipt>`);
    await shown().getByText('vouches for this key').waitFor();
    const bytes = await loading();
    console.log(`the scripts of an embedded receipt: ${bytes} bytes, gzip`);
    expect(bytes).toBeLessThan(40_000);
  });
});

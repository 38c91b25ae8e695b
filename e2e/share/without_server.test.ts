/** The two ways to share from a tab that need no server: a link that carries the rows, and a folder for any static host. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { type Browser, type BrowserContext, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { serveStatic, type StaticServer } from '../support/static_server.ts';
import { barriers, browserExpect, complaints, launch, overflow, scriptBytes } from './support/chromium.ts';
import { hostile } from './support/shared_table.ts';

const appFolder = fileURLToPath(new URL('../../build/web', import.meta.url));
const site = temporaryFolder(afterAll);
const below = 'deep/in the site';
const sample = 'samples/coffee-orders';
const mean = 'mean/<i>cells';
let app: StaticServer;
let other: StaticServer;
let browser: Browser;
let owner: Page;
let stranger: BrowserContext;
let page: Page;
let heard: string[];

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

beforeAll(async () => {
  [app, other] = [await serveStatic(appFolder, { fallback: '/index.html' }), await serveStatic(site, { ranges: true })];
  browser = await launch();
  owner = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  // As browsers without a picker of places save files.
  await owner.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
  await owner.goto(app.origin);
  await owner.getByRole('button', { name: 'Load the sample table' }).click();
  await owner.getByRole('gridcell', { name: '1001', exact: true }).waitFor();
  const notes = hostile.slice(0, 4).map((text, i) => `(${i + 1}, ${quoted(text)})`);
  await save(
    `SELECT id, note, 9007199254740993 + id AS big, (id * 0.10)::DECIMAL(10,2) AS cost, DATE '2026-11-30' AS day, [id, NULL] AS list
    FROM (VALUES ${notes.join(', ')}, (5, NULL), (6, '')) AS t(id, note)`,
    mean,
  );
  await save(
    `SELECT i AS id, md5(i::VARCHAR) AS digest, CASE i WHEN 1 THEN repeat('x', 1000000) END AS long FROM range(1, 3001) r(i)`,
    'large/digests',
  );
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([app?.close(), other?.close()]);
});
beforeEach(async () => {
  stranger = await browser.newContext({ viewport: { width: 1000, height: 800 }, acceptDownloads: true });
  page = await stranger.newPage();
  heard = complaints(page);
});
afterEach(() => stranger.close());

async function save(sql: string, path: string): Promise<void> {
  await owner.goto(`${app.origin}/query?${new URLSearchParams({ sql })}`);
  await owner.getByLabel('Save as', { exact: true }).fill(path);
  await owner.getByRole('button', { name: 'Save as table' }).click();
  await owner.getByText(`as ${path}, version`).waitFor();
}

async function choose(path: string, item: string, search = ''): Promise<Locator> {
  await owner.goto(`${app.origin}/t/${path.split('/').map(encodeURIComponent).join('/')}${search}`);
  await owner.getByRole('button', { name: 'More' }).click();
  await owner.getByRole('menuitem', { name: item }).click();
  return owner.getByRole('dialog', { name: item.replace('…', '') });
}

const putIntoLink = async (path: string, search = '') => {
  const dialog = await choose(path, 'Put into a link…', search);
  const made = dialog.getByLabel('The link, rows and all');
  await made.waitFor();
  return made.inputValue();
};

/** Saves it from the table's menu and unpacks it below a path of the other origin. Answers the page's address. */
async function published(path: string, search = ''): Promise<string> {
  const dialog = await choose(path, 'Bundle for a website…', search);
  const [download] = await Promise.all([
    owner.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save the bundle' }).click(),
  ]);
  const files = Object.entries(unzipSync(readFileSync(await download.path())));
  for (const [file, bytes] of files) {
    const target = join(site, below, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  await browserExpect(dialog).toBeHidden();
  const [folder = ''] = files[0]![0].split('/');
  expect(download.suggestedFilename()).toBe(`${folder}.zip`);
  return `${other.origin}/${[...below.split('/'), folder].map(encodeURIComponent).join('/')}/`;
}

/** Rows in a grid, in the page itself or a frame. */
const cells = (of: Page | FrameLocator, column: number) =>
  of.locator(`st-grid tbody td[aria-colindex="${column + 2}"]`).filter({ visible: true });
const isHurt = (of: Page) =>
  of.evaluate(() =>
    [window, ...Array.from(frames)].some((one) => {
      try {
        return Reflect.has(one, 'hurt');
      } catch {
        return false;
      }
    }),
  );

describe('a link that carries the rows', () => {
  const frame = () => page.frameLocator('iframe');
  const fragmentOf = (value: unknown) => deflateSync(JSON.stringify(value)).toString('base64url');
  const carried = (more: object = {}) => ({
    stele_table: 1,
    table: 'a/b',
    version: 1,
    columns: [{ name: 'n', type: 'BIGINT', values: [1, 2] }],
    ...more,
  });
  const openFragment = (fragment: string) => page.goto(`${app.origin}/table.html#${fragment}`);

  test('opens in a clean profile with all of a table, and nothing is asked of a server but the page', async () => {
    const link = await putIntoLink(sample, `?${new URLSearchParams({ where: '["cups",">=",5]', desc: 'order_id' })}`);
    expect(link.length).toBeLessThanOrEqual(8000);
    const asked: string[] = [];
    stranger.on('request', (request) => asked.push(request.url()));
    const loading = scriptBytes(page);
    await page.goto(link);
    await browserExpect(frame().getByRole('heading', { level: 1 })).toHaveText(sample);
    await browserExpect(page).toHaveTitle(sample);
    const ids = async () => (await cells(frame(), 0).allTextContents()).map(Number);
    await cells(frame(), 0).first().waitFor();
    expect(await ids()).toEqual((await ids()).toSorted((a, b) => b - a));
    await browserExpect(frame().locator('#head')).toContainText(/of 360 rows/);
    const { host, origin } = new URL(app.origin);
    await browserExpect(frame().getByText(`${host} only shows them and vouches for nothing`)).toBeVisible();
    expect(asked.every((url) => url.startsWith(`${origin}/`) && !url.includes('stele.wasm'))).toBe(true);
    const bytes = await loading();
    console.log(`the scripts of a table in a link: ${bytes} bytes, gzip`);
    expect(bytes).toBeLessThan(60_000);
    expect(heard).toEqual([]);
  });

  test('has every kind of cell as it is stored, hostile ones as text, and gives them as CSV', async () => {
    const link = await putIntoLink(mean);
    await page.goto(link);
    for (const [i, text] of hostile.slice(0, 4).entries())
      await browserExpect(cells(frame(), 1).nth(i)).toHaveText(text);
    await browserExpect(cells(frame(), 2).first()).toHaveText('9007199254740994');
    await browserExpect(cells(frame(), 5).first()).toHaveText('[1,null]');
    await browserExpect(frame().getByRole('heading', { level: 1 })).toHaveText(mean);
    await frame().getByRole('button', { name: 'cost', exact: true }).click();
    await frame().getByRole('button', { name: 'cost', exact: true }).click();
    await browserExpect(cells(frame(), 0).first()).toHaveText('6');
    await frame().getByRole('searchbox').fill('hyperlink');
    await browserExpect(frame().getByText('1 of 6 rows')).toBeVisible();
    const downloaded = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        frame().getByRole('button', { name, exact: true }).click(),
      ]);
      return readFileSync(await download.path(), 'utf8');
    };
    const exact = (await downloaded('CSV')).split('\r\n');
    expect(exact[0]).toBe('id,note,big,cost,day,list');
    expect(exact[3]).toBe(
      '3,"=HYPERLINK(""http://evil.example"",""click"")",9007199254740996,0.30,2026-11-30,"[3,null]"',
    );
    expect(exact[5]).toBe('5,,9007199254740998,0.50,2026-11-30,"[5,null]"');
    expect(exact[6]).toBe('6,"",9007199254740999,0.60,2026-11-30,"[6,null]"');
    expect(await downloaded('CSV for spreadsheets')).toContain(`\r\n3,"'=HYPERLINK(`);
    expect(await isHurt(page)).toBe(false);
    expect(heard).toEqual([]);
  });

  test('is for everyone, on every screen', async () => {
    await page.goto(await putIntoLink(mean));
    await cells(frame(), 0).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await barriers(page, ['light'])).toEqual([]);
    const inner = page.frames()[1]!;
    expect(await inner.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await browserExpect(cells(frame(), 0).first()).toBeInViewport();
  });

  test('runs in an origin of its own, out of reach of the tables that this browser keeps', async () => {
    await page.goto(await putIntoLink(mean));
    await cells(frame(), 0).first().waitFor();
    const inner = page.frames()[1]!;
    expect(await inner.evaluate(() => origin)).toBe('null');
    const reach = await inner.evaluate(async () => [
      await navigator.storage.getDirectory().then(
        () => 'storage',
        (error: Error) => error.name,
      ),
      await fetch('/index.html').then(
        () => 'network',
        (error: Error) => error.name,
      ),
    ]);
    expect(reach).toEqual(['SecurityError', 'TypeError']);
  });

  test('that is damaged, hostile or none says so and runs nothing', async () => {
    const link = await putIntoLink(mean);
    const whole = link.split('#')[1]!;
    const middle = Math.floor(whole.length / 2);
    const altered = whole.slice(0, middle) + (whole[middle] === 'A' ? 'B' : 'A') + whole.slice(middle + 1);
    const column = (values: unknown) => ({ name: 'n', type: 'BIGINT', values });
    const wrong = {
      'cut short': whole.slice(0, -20),
      'half of it': whole.slice(0, middle),
      altered,
      'no packing': Buffer.from(JSON.stringify(carried())).toString('base64url'),
      'no base64': '<img src=x onerror=alert(1)>',
      'no JSON': deflateSync('<script>window.hurt = 1</script>').toString('base64url'),
      'no table': fragmentOf({ rows: [[1]] }),
      'no columns': fragmentOf(carried({ columns: [] })),
      'uneven columns': fragmentOf(carried({ columns: [column([1, 2]), column([1])] })),
      'values that are no list': fragmentOf(carried({ columns: [column({ length: 1e9 })] })),
      'a name that is none': fragmentOf(carried({ table: { toString: 'x' } })),
      'a bomb': deflateSync(Buffer.alloc(200 << 20, ' ')).toString('base64url'),
      nothing: '',
    };
    for (const [what, fragment] of Object.entries(wrong)) {
      await page.goto('about:blank');
      await openFragment(fragment);
      await browserExpect(frame().getByRole('alert'), what).toBeVisible();
      await browserExpect(frame().locator('st-grid'), what).toHaveCount(0);
    }
    expect(await isHurt(page)).toBe(false);
    expect(await barriers(page, ['light'])).toEqual([]);
  });

  test('is found in a sentence that goes on, and gives way to the next in the same tab', async () => {
    const link = await putIntoLink(mean);
    await page.goto(`${link}).`);
    await browserExpect(cells(frame(), 0).first()).toHaveText('1');
    await openFragment(fragmentOf(carried({ table: 'the/next' })));
    await browserExpect(frame().getByRole('heading', { level: 1 })).toHaveText('the/next');
  });

  test('says without a script what it would take', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(await putIntoLink(mean));
    await browserExpect(plain.getByText('needs JavaScript, which is off')).toBeVisible();
    await plain.context().close();
  });

  test('is not made of a table that is too large: the bundle is named instead, and one button away', async () => {
    const dialog = await choose('large/digests', 'Put into a link…');
    const refused = dialog.getByRole('alert');
    await browserExpect(refused).toContainText(/it would have 1?\d\d,\d{3} characters/);
    await browserExpect(refused).toContainText('at most 8,000 characters');
    await browserExpect(refused).toContainText('A bundle for a website');
    await browserExpect(dialog.getByLabel('The link')).toHaveCount(0);
    expect(await barriers(owner)).toEqual([]);
    await dialog.getByRole('button', { name: 'Bundle for a website' }).click();
    await browserExpect(owner.getByRole('dialog', { name: 'Bundle for a website' })).toBeVisible();
    await browserExpect(dialog).toBeHidden();
  });
});

describe('a link and a bundle have just what is shown:', () => {
  test('an earlier version, if it is that', async () => {
    await page.goto(await putIntoLink(`${sample}@1`));
    await browserExpect(page.frameLocator('iframe').locator('#head')).toContainText('Version 1, of 20');
    await page.goto(await published(`${sample}@1`));
    await browserExpect(page.locator('#head')).toContainText('Version 1, of 20');
    await browserExpect(cells(page, 0).first()).toHaveText('1001');
    expect(heard).toEqual([]);
  });

  test('no rows, if there are none', async () => {
    await save('SELECT 1 AS id, [1] AS list WHERE false', 'été/0 rows');
    await page.goto(await putIntoLink('été/0 rows'));
    await browserExpect(page.frameLocator('iframe').getByText('There are no rows.')).toBeVisible();
    await page.goto(await published('été/0 rows'));
    await browserExpect(page.getByText('There are no rows.')).toBeVisible();
    await browserExpect(page.locator('#head')).toContainText('0 rows');
    expect(heard).toEqual([]);
  });
});

describe('a bundle for a website', () => {
  test('shows all rows on another origin below a path, by what lies in its folder alone', async () => {
    const address = await published('large/digests');
    const asked: string[] = [];
    stranger.on('request', (request) => asked.push(request.url()));
    const loading = scriptBytes(page);
    await page.goto(address);
    await browserExpect(page.getByRole('heading', { level: 1 })).toHaveText('large/digests');
    await browserExpect(page.locator('#head')).toContainText('3,000 rows');
    await cells(page, 0).first().click();
    await page.keyboard.press('Control+ArrowDown');
    await browserExpect(page.locator('st-grid td:focus')).toHaveText('3000');
    await page.getByRole('searchbox').fill('c4ca4238a0b923820dcc509a6f75849b');
    await browserExpect(page.getByText('1 of 3,000 rows')).toBeVisible();
    await browserExpect(cells(page, 0).first()).toHaveText('1');
    expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
    const bytes = await loading();
    console.log(`the scripts of a bundle's page: ${bytes} bytes, gzip`);
    expect(bytes).toBeLessThan(60_000);
    expect(heard).toEqual([]);
    const bytesOfFile = readFileSync(join(site, below, 'digests/digests.parquet'));
    const file = new Uint8Array(bytesOfFile).buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(3000);
    expect(rows[0]).toEqual({ id: 1n, digest: 'c4ca4238a0b923820dcc509a6f75849b', long: 'x'.repeat(1_000_000) });
    expect(readFileSync(join(site, below, 'digests/README.md'), 'utf8')).toContain('3,000 rows');
  });

  test('has hostile cells and names as text, and is for everyone', async () => {
    const address = await published(mean);
    await page.goto(address);
    for (const [i, text] of hostile.slice(0, 4).entries()) await browserExpect(cells(page, 1).nth(i)).toHaveText(text);
    await browserExpect(cells(page, 2).first()).toHaveText('9007199254740994');
    await browserExpect(page.getByRole('heading', { level: 1 })).toHaveText(mean);
    await browserExpect(page.locator('stele-table > .grid')).toBeHidden();
    expect(await barriers(page)).toEqual([]);
    for (const width of [360, 2560]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
    expect(await isHurt(page)).toBe(false);
    expect(heard).toEqual([]);
  });

  test('has the first rows as a plain table without a script, and where the rows cannot be had', async () => {
    const address = await published('large/digests');
    const plain = await (
      await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    ).newPage();
    await plain.goto(address);
    await browserExpect(plain.locator('tbody tr')).toHaveCount(50);
    await browserExpect(plain.getByText('The first 50 of 3,000 rows:')).toBeVisible();
    await browserExpect(plain.getByRole('cell', { name: 'c4ca4238a0b923820dcc509a6f75849b' })).toBeVisible();
    await browserExpect(plain.getByRole('cell', { name: /^x+…$/ })).toBeVisible();
    await browserExpect(plain.getByRole('link', { name: 'Parquet' })).toHaveAttribute('href', 'digests.parquet');
    expect(await overflow(plain)).toBeLessThanOrEqual(0);
    await plain.context().close();
    await stranger.route('**/*.parquet', (route) => route.fulfill({ status: 404 }));
    await page.goto(address);
    await browserExpect(page.getByRole('alert')).toContainText('answered 404');
    await browserExpect(page.getByRole('cell', { name: 'c4ca4238a0b923820dcc509a6f75849b' })).toBeVisible();
  });

  test('has the rows that are shown, if those are chosen, and says that they are some', async () => {
    const address = await published(sample, `?${new URLSearchParams({ where: '["cups",">=",5]' })}`);
    await page.goto(address);
    await browserExpect(page.locator('#head')).toContainText(/\d+ of 360 rows/);
    await browserExpect(cells(page, 0).first()).toBeVisible();
  });
});

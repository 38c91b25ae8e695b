/** Every page, light and dark, wide and narrow: no serious fault that axe finds, and the looks kept as baselines. */
import type { BrowserContext, Page } from '@playwright/test';
import {
  expect,
  loadSample,
  sampleAddress,
  samplePath,
  saveQuery,
  settled,
  test as base,
  visit,
} from '../support/app.ts';
import { faultsOf, look, sameEverywhere } from '../support/looks.ts';

const test = base.extend<object, { furnished: BrowserContext }>({
  /** A workspace that has something to show on every page. */
  furnished: [
    async ({ browser, app }, use) => {
      const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce', locale: 'en-GB' });
      await sameEverywhere(context);
      const page = await context.newPage();
      await page.goto(app.origin);
      await loadSample(page);
      await furnish(page);
      // "Just now", as long as the tests take.
      await context.clock.setFixedTime(new Date());
      await use(context);
      await context.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const query = (sql: string) => `/query?${new URLSearchParams({ sql })}`;
const totals = `SELECT drink, sum(cups)::INT AS cups, count(*) AS orders\nFROM "${samplePath}"\nGROUP BY ALL ORDER BY cups DESC`;
const figure = `SELECT sum(cups)::INT AS cups FROM "${samplePath}"`;

async function furnish(page: Page): Promise<void> {
  await saveQuery(page, totals, 'reports/2026/drinks');
  await saveQuery(page, 'SELECT 1 AS n', 'scratch/first-try');
  await visit(page, '/t/scratch/first-try');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await expect(page.getByText('is in the trash')).toBeVisible();
  await visit(page, query(figure));
  await page.getByRole('button', { name: 'Make a receipt' }).click();
  await expect(page.getByRole('link', { name: 'Open the receipt' })).toBeVisible();
  await visit(page, '/');
}

async function openIn(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(new URL(path, context.pages()[0]!.url()).href);
  await settled(page);
  return page;
}

const profiled = (page: Page) => expect(page.locator('svg.spark').first()).toBeVisible();

const pages: [name: string, path: string, ready?: (page: Page) => Promise<void>][] = [
  ['tables', '/'],
  ['table', sampleAddress, profiled],
  ['filtered', `${sampleAddress}?where=%5B%22drink%22%2C%22%3D%22%2C%22chai%22%5D&desc=cups`, profiled],
  [
    'record',
    sampleAddress,
    async (page) => {
      await profiled(page);
      await page.getByRole('gridcell', { name: '1003', exact: true }).dblclick();
      await expect(page.locator('.record')).toBeVisible();
    },
  ],
  [
    'download',
    `${sampleAddress}?desc=cups`,
    async (page) => {
      await profiled(page);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Download…' }).click();
      await expect(page.getByRole('dialog', { name: 'Download' })).toBeVisible();
    },
  ],
  [
    'link',
    `${sampleAddress}?desc=cups`,
    async (page) => {
      await profiled(page);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Put into a link…' }).click();
      await expect(page.getByLabel('The link, rows and all')).toBeVisible();
    },
  ],
  [
    'bundle',
    sampleAddress,
    async (page) => {
      await profiled(page);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Bundle for a website…' }).click();
      await expect(page.getByRole('dialog', { name: 'Bundle for a website' })).toBeVisible();
    },
  ],
  ['columns', `${sampleAddress}?show=columns`],
  ['history', `${sampleAddress}?show=history`],
  ['difference', `${sampleAddress}?show=diff&from=1&to=2`],
  ['query', query(totals), (page) => expect(page.getByText('5 rows')).toBeVisible()],
  ['mistake', query(`SELECT drinks\nFROM "${samplePath}"`), (page) => expect(page.getByRole('alert')).toBeVisible()],
  ['import', '/import'],
  [
    'preview',
    '/import',
    async (page) => {
      const text = 'code,price,when,note\n007,3.50,2026-01-05,warm\n008,,2026-01-06,"two, cold"\n19,4.10,2026-01-07,\n';
      const file = { name: 'price-list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.locator('input[type=file]').setInputFiles(file);
      await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
    },
  ],
  ['receipts', '/receipts'],
  ['shares', '/shares'],
  ['agents', '/agents', (page) => expect(page.getByRole('switch').first()).toBeVisible()],
  ['storage', '/storage', (page) => expect(page.getByRole('meter')).toBeVisible()],
  ['trash', '/trash'],
  ['nowhere', '/nowhere'],
];

test('first', async ({ browser, app }) => {
  const context = await browser.newContext({ bypassCSP: true });
  await sameEverywhere(context);
  const page = await context.newPage();
  await page.goto(app.origin);
  await expect(page.getByText('No tables yet')).toBeVisible({ timeout: 30_000 });
  await look(page, 'first', 'light', 'wide');
  await look(page, 'first', 'dark', 'narrow');
  await context.close();
});

for (const [name, path, ready] of pages) {
  test(name, async ({ furnished }) => {
    const page = await openIn(furnished, path);
    await ready?.(page);
    await look(page, name, 'light', 'wide');
    await look(page, name, 'dark', 'narrow');
    await page.close();
  });
}

test('receipt', async ({ furnished }) => {
  const page = await openIn(furnished, '/receipts');
  await page.locator('.receipts [data-row]').click();
  const said = page.frameLocator('iframe').getByText('Unchanged since key');
  await expect(said).toBeVisible();
  // Each browser has a key of its own, by whose letters lines would break elsewhere.
  await said.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      texts.currentNode.textContent = texts.currentNode.textContent!.replace(/key \S+…/, 'key 8letters…');
  });
  await look(page, 'receipt', 'light', 'wide');
  await look(page, 'receipt', 'dark', 'narrow');
  await page.close();
});

test('pages bear forced colours, large text and right to left', async ({ furnished }) => {
  const page = await openIn(furnished, sampleAddress);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await faultsOf(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isWiderThanWindow(page)).toBe(false);
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  expect(await isWiderThanWindow(page)).toBe(false);
  await page.setViewportSize({ width: 2560, height: 1300 });
  expect(await isWiderThanWindow(page)).toBe(false);
  await page.close();
});

test('names of columns are whole in large text, also when it grows later', async ({ furnished }) => {
  const page = await openIn(furnished, sampleAddress);
  const cut = () =>
    page
      .locator('st-grid thead bdi')
      .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).map((n) => n.textContent));
  const order = page.getByRole('gridcell', { name: '1001', exact: true });
  const width = (await order.boundingBox())!.width;
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  await expect.poll(async () => (await order.boundingBox())!.width).toBeGreaterThanOrEqual(2 * width - 1);
  expect(await cut()).toEqual([]);
  await page.close();
});

test('where colours are forced, what is current and what is selected still shows', async ({ furnished }) => {
  const page = await openIn(furnished, sampleAddress);
  await page.emulateMedia({ forcedColors: 'active' });
  const styleOf = (name: string, property: string) =>
    page
      .getByRole('link', { name, exact: true })
      .first()
      .evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), property);
  expect(await styleOf('Tables', 'border-bottom-color')).not.toBe(await styleOf('Import', 'border-bottom-color'));
  expect(await styleOf('Rows', 'border-bottom-color')).not.toBe(await styleOf('Columns', 'border-bottom-color'));
  const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true });
  await cell('1001').click();
  await page.keyboard.press('Shift+ArrowDown');
  const backgroundOf = (text: string) => cell(text).evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await backgroundOf('1001')).not.toBe(await backgroundOf('1003'));
  expect(await cell('1002').evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
  await page.close();
});

function isWiderThanWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}

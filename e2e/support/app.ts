/** The tests' fixtures of the app: a static host with the built pages, and tabs of it, empty or with the sample table. */
import { test as base, type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { appFolder } from './harness.ts';
import { serveStatic, type StaticServer } from './static_server.ts';

export { expect } from '@playwright/test';

export const samplePath = 'samples/coffee-orders';
export const sampleAddress = `/t/${samplePath}`;

interface Fixtures {
  /** Opens an address of the app in a browser of its own, and fails the test if a script of the page fails. */
  open(path: string): Promise<Page>;
  /** The same, after the sample table was loaded. */
  openWithSample(path?: string): Promise<Page>;
  /** The same in a browser that tests share which change nothing: with the sample table, in a tab of its own. */
  read(path?: string): Promise<Page>;
}

interface WorkerFixtures {
  app: StaticServer;
  sampled: BrowserContext;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  app: [
    // Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const app = await serveStatic(appFolder, { fallback: '/index.html' });
      await use(app);
      await app.close();
    },
    { scope: 'worker' },
  ],
  sampled: [
    async ({ browser, app }, use) => {
      const context = await contextOf(browser);
      // This tab stays, so that the store does not change hands with every test.
      await loadSample(await openTab(context, app.origin, []));
      await use(context);
      await context.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ context, app }, use) => {
    const errors: string[] = [];
    await use((path) => openTab(context, app.origin + path, errors));
    expect(errors).toEqual([]);
  },
  openWithSample: async ({ open }, use) => {
    await use(async (path = sampleAddress) => {
      const page = await open('/');
      await loadSample(page);
      if (path !== sampleAddress) await visit(page, path);
      return page;
    });
  },
  read: async ({ sampled, app }, use) => {
    const errors: string[] = [];
    const tabs: Page[] = [];
    await use(async (path = sampleAddress) => {
      const page = await openTab(sampled, app.origin + path, errors);
      tabs.push(page);
      await settled(page);
      return page;
    });
    await Promise.all(tabs.map((page) => page.close()));
    expect(errors).toEqual([]);
  },
});

function contextOf(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 1280, height: 720 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

/** What a page's scripts throw, and what its content policy refuses. */
async function openTab(context: BrowserContext, url: string, errors: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy/i.test(message.text())) errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** On the first page of an empty workspace. */
export async function loadSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Load the sample table' }).click();
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible({ timeout: 30_000 });
}

/** An address of the app in this tab, once what it shows is there. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await expect(
    page.getByRole('main').getByRole('heading', { level: 1 }).or(page.locator('iframe')).first(),
  ).toBeVisible();
  await expect(page.locator('.busy')).toHaveCount(0);
}

/** Runs a query in the console and keeps its result as a table. */
export async function saveQuery(page: Page, sql: string, path: string): Promise<void> {
  await visit(page, `/query?${new URLSearchParams({ sql })}`);
  await page.getByLabel('Save as', { exact: true }).fill(path);
  await page.getByRole('button', { name: 'Save as table' }).click();
  await expect(page.getByText(`as ${path}, version`)).toBeVisible({ timeout: 60_000 });
}

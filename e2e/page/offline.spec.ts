/** The app without a network: after a first visit its host may be gone, and everything is there. */
import type { Page } from '@playwright/test';
import { appFolder, expect, test } from '../support/harness.ts';
import { serveStatic } from '../support/static_server.ts';

/** Once it has kept the build, the worker takes pages that are open already. */
function keptOffline(page: Page): Promise<unknown> {
  return page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 });
}

test('tables and pages are there after a reload without the host', async ({ context }) => {
  const host = await serveStatic(appFolder, { fallback: '/index.html' });
  const page = await context.newPage();
  await page.goto(`${host.origin}/`);
  await page.getByRole('button', { name: 'Load the sample table' }).click();
  const cell = page.getByRole('gridcell', { name: '1001', exact: true });
  await expect(cell).toBeVisible();
  await keptOffline(page);
  await host.close();
  await expect(fetch(host.origin)).rejects.toThrow();

  await page.reload();
  await expect(cell).toBeVisible();
  // An address that this browser never asked the host for, in a tab of its own.
  const other = await context.newPage();
  await other.goto(`${host.origin}/query?${new URLSearchParams({ sql: 'SELECT 40 + 2 AS answer' })}`);
  await expect(other.getByText('answer').first()).toBeVisible();
  await page.close();
  await other.goto(`${host.origin}/`);
  await expect(other.getByRole('link', { name: 'samples/coffee-orders' })).toBeVisible();
});

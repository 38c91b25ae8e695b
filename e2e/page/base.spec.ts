/** The app below a path of its host: nothing of it lies or looks outside, and all that works at a root works there. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, loadSample, samplePath, settled, test } from '../support/app.ts';
import { serveStatic, type StaticServer } from '../support/static_server.ts';

const base = '/of/tables/';
const folder = fileURLToPath(new URL('../../build/based', import.meta.url));

let host: StaticServer;

test.beforeAll(async () => {
  const configFile = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));
  await build({ configFile, base, build: { outDir: folder + base }, logLevel: 'warn' });
  host = await serveStatic(folder, { fallback: `${base}index.html` });
});

test.afterAll(() => host.close().catch(() => {}));

test('below a path, pages link to each other, are reloaded by their address, and open without the host', async ({
  page,
}) => {
  const at = (path: string) => `${host.origin}${base}${path}`;
  await page.goto(at(''));
  await loadSample(page);
  await expect(page).toHaveURL(at(`t/${samplePath}`));
  for (const name of ['Query', 'Import', 'Receipts', 'Shares', 'Agents', 'Storage', 'Tables']) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(at(name === 'Tables' ? '' : name.toLowerCase()));
    await settled(page);
  }
  await page.goto(at(`t/${samplePath}@1?show=history`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('coffee-orders');

  await page.goto(at(`query?${new URLSearchParams({ sql: `SELECT sum(cups) AS cups FROM "${samplePath}"` })}`));
  await page.getByRole('button', { name: 'Make a receipt' }).click();
  const link = (await page.locator('.receipt-note code').textContent())!;
  expect(link).toMatch(new RegExp(`^${at('r#')}`));
  await page.goto(link);
  await expect(page).toHaveURL(new RegExp(`^${at('receipt.html#')}`));
  await expect(page.frameLocator('iframe[title="Receipt"]').locator('.figure')).toContainText('cups');
  await expect(page.getByRole('link', { name: 'Stele', exact: true })).toHaveAttribute('href', base);

  await page.goto(at(''));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const outside = host.requests.filter((path) => !path.startsWith(base));
  expect(outside.filter((path) => path !== '/.well-known/stele/keys.json')).toEqual([]);
  await host.close();
  await page.goto(at(`t/${samplePath}`));
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible();
});

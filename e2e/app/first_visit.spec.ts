/** From the first visit to the first table, and that it stays. */
import { gzipSync } from 'node:zlib';
import { expect, sampleAddress, settled, test, visit } from '../support/app.ts';

test('the first page leads to a first table in one step', async ({ open }) => {
  const page = await open('/');
  await expect(page.getByText('No tables yet')).toBeVisible();
  await page.getByRole('button', { name: 'Load the sample table' }).click();
  await expect(page).toHaveURL(new RegExp(`${sampleAddress}$`));
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible();
  await expect(page.getByText('360 rows')).toBeVisible();
});

test('a reload changes nothing', async ({ openWithSample }) => {
  const page = await openWithSample();
  await page.reload();
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible();
  await visit(page, '/');
  await expect(page.getByRole('link', { name: 'samples/coffee-orders' })).toBeVisible();
});

test('another tab sees the same tables, and what the first one writes', async ({ openWithSample, open }) => {
  const first = await openWithSample('/?q=coffee');
  const second = await open('/');
  await expect(second.getByRole('link', { name: 'samples/coffee-orders' })).toBeVisible();
  await visit(first, sampleAddress);
  await first.getByRole('button', { name: 'More' }).click();
  await first.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await expect(second.getByText('No tables yet')).toBeVisible();
});

test('Back goes through the places one has been at', async ({ read }) => {
  const page = await read();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('Recounted three orders').last()).toBeVisible();
  await page.getByRole('link', { name: 'Columns' }).click();
  await expect(page.getByRole('rowheader', { name: 'order_id' })).toBeVisible();
  await page.goBack();
  await expect(page.locator('.timeline')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible();
});

test('an address where nothing is says so', async ({ read }) => {
  const page = await read('/nowhere');
  await expect(page.getByRole('heading', { name: 'Nothing is here' })).toBeVisible();
  await visit(page, '/t/never/was');
  await expect(page.getByRole('alert')).toContainText('There is no table "never/was"');
});

test('the first page weighs less than 150 KB without the engine', async ({ open }) => {
  const page = await open('/');
  await settled(page);
  // What serves agents comes last, and belongs to the page.
  await expect(page.locator('st-consent')).toBeAttached();
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /\.(js|css)$/.test(name) && !/core_worker|service_worker/.test(name)),
  );
  let bytes = 0;
  for (const file of files) bytes += gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).length;
  console.log(`first page: ${files.length} files, ${(bytes / 1000).toFixed(1)} KB of script and style, gzip`);
  expect(files.some((file) => /mount/.test(file))).toBe(true);
  expect(bytes).toBeLessThan(150_000);
});

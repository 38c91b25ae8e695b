/** A file, a paste or an address becomes a table, after it was looked at. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { appFolder } from '../support/harness.ts';
import { serveStatic } from '../support/static_server.ts';

const csv = 'code,price,when\n007,3.50,2026-01-05\n008,,2026-01-06\n';

async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ({ name, text }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    },
    { name, text },
  );
}

test('a dropped file is shown, imported with its warnings, and undone', async ({ open }) => {
  const page = await open('/');
  await expect(page.getByText('No tables yet')).toBeVisible();
  await drop(page, 'Price List.csv', csv);
  await expect(page).toHaveURL(/\/import$/);
  await expect(page.getByLabel('Path')).toHaveValue('price-list');
  await page.getByLabel('Path').fill('shop/prices');
  await page.getByRole('button', { name: /^Import/ }).click();
  await expect(page.getByText('2 rows imported into')).toBeVisible();
  await expect(page.getByText('"007"')).toBeVisible();
  await page.getByRole('link', { name: 'Open the table' }).click();
  await expect(page.getByRole('gridcell', { name: '007' })).toBeVisible();
  await page.goBack();
});

test('what is pasted becomes a table, and Undo takes it back', async ({ open }) => {
  const page = await open('/import');
  await page.getByLabel('Or pasted rows').fill('a\tb\n1\tx\n2\ty');
  await page.getByRole('button', { name: 'Look at them' }).click();
  await page.getByLabel('Path').fill('pasted/rows');
  await page.getByRole('button', { name: /^Import/ }).click();
  await expect(page.getByText('2 rows imported into')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('pasted/rows is in the trash.')).toBeVisible();
});

test('a file that is chosen is imported as more rows of a table', async ({ open }) => {
  const page = await open('/import');
  const choose = async () => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByLabel('Path').fill('shop/prices');
  };
  await choose();
  await page.getByRole('button', { name: /^Import/ }).click();
  await expect(page.getByText('version 1')).toBeVisible();
  await page.getByRole('button', { name: 'Take another' }).click();
  await choose();
  await page.getByLabel('Import as').selectOption('append');
  await page.getByRole('button', { name: /^Import/ }).click();
  await expect(page.getByText('version 2, now 4 rows.')).toBeVisible();
});

test('malformed rows are named, and left out only when one says so', async ({ open }) => {
  const page = await open('/import');
  await page.getByLabel('Or pasted rows').fill('{"a": 1}\nnot a row\n{"a": 3}\n');
  await page.getByRole('button', { name: 'Look at them' }).click();
  await expect(page.getByRole('heading', { name: '1 malformed row' })).toBeVisible();
  await expect(page.getByText(/^Line 2 /)).toBeVisible();
  await page.getByLabel('Leave out 1 malformed row').check();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(page.getByText('2 rows imported into')).toBeVisible();
});

test('a file that cannot be read is refused, and leaves nothing', async ({ open }) => {
  const page = await open('/import');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'broken.parquet', mimeType: '', buffer: Buffer.from('PAR1 but no more') });
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Tables', exact: true }).click();
  await expect(page.getByText('No tables yet')).toBeVisible();
});

test('an address that lets no other site read it says how to go on', async ({ open }) => {
  const other = await serveStatic(appFolder, { hostname: 'localhost' });
  const page = await open(`/import?${new URLSearchParams({ url: `${other.origin}/receipt.html` })}`);
  await expect(page.getByRole('alert')).toContainText(/drop/i);
  await other.close();
});

test('a full disk is told with what a person can do, and the table is not there', async ({ openWithSample, app }) => {
  const page = await openWithSample('/import');
  const cdp = await page.context().newCDPSession(page);
  const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: app.origin, quotaSize: usage + (1 << 20) });
  const lines = Array.from({ length: 100_000 }, () => `${Math.random()},${crypto.randomUUID()}`);
  const file = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(`a,b\n${lines.join('\n')}\n`) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Import 100,000 rows' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('There is no room left. Nothing was changed.');
  await expect(alert).toContainText('Free space on this device');
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: app.origin });
  await page.getByRole('button', { name: 'Import 100,000 rows' }).click();
  await expect(page.getByText('100,000 rows imported into large')).toBeVisible();
});

/** Shares, storage and the agents' page: what is public, what is kept where, and who may come in. */
import { join } from 'node:path';
import { expect, sampleAddress, test, visit } from '../support/app.ts';
import { makeDeskBackup } from '../support/desk_backup.ts';

test('a tab does not pretend that it could share, and says how to', async ({ read }) => {
  const page = await read();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Share by link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share by link' });
  await expect(dialog).toContainText('in this browser alone');
  await dialog.getByRole('button', { name: 'Put into a link' }).click();
  await expect(page.getByRole('dialog', { name: 'Put into a link' })).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('a link is made and copied with the keyboard alone', async ({ read }) => {
  const page = await read();
  const more = page.getByRole('button', { name: 'More' });
  await more.focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: 'Put into a link…' });
  for (let i = 0; i < 5 && !(await item.evaluate((element) => element === document.activeElement)); ++i)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Put into a link' });
  const link = dialog.getByLabel('The link, rows and all');
  await expect(link).toBeVisible();
  const copy = dialog.getByRole('button', { name: /^Cop/ });
  for (let i = 0; i < 5 && !(await copy.evaluate((element) => element === document.activeElement)); ++i)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link.inputValue());
  await expect(dialog.getByRole('status').filter({ hasText: 'Copied.' })).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
});

test('a share that came with a backup is listed, and ended', async ({ open }, { outputDir }) => {
  const file = join(outputDir, 'desk.sqlite');
  await makeDeskBackup(file, 'cities');
  const page = await open('/storage');
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Put it in place' }).click();
  await expect(page.getByText('The backup is in place.')).toBeVisible();
  await page.getByRole('link', { name: 'Shares' }).click();
  await expect(page.getByRole('link', { name: 'cities' })).toBeVisible();
  await expect(page.getByText('cannot be recalled')).toBeVisible();
  await page.getByRole('button', { name: 'End' }).click();
  await expect(page.getByText('Nothing is shared.')).toBeVisible();
});

test('a backup is saved, and brings the tables to another browser', async ({ openWithSample, browser, app }) => {
  const page = await openWithSample('/storage');
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker') && undefined);
  await page.evaluate(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup' }).click();
  const file = await (await saving).path();

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${app.origin}/storage`);
  await other.locator('input[type=file]').setInputFiles(file);
  await other.getByRole('button', { name: 'Put it in place' }).click();
  await expect(other.getByText('The backup is in place.')).toBeVisible();
  await visit(other, sampleAddress);
  await expect(other.getByText('360 rows')).toBeVisible();
  await other.context().close();
});

test('a file that is no backup changes nothing', async ({ read }) => {
  const page = await read('/storage');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByText('notes.txt is not a backup.')).toBeVisible();
  await visit(page, sampleAddress);
  await expect(page.getByText('360 rows')).toBeVisible();
});

test("the agents' page says how to connect, and that nobody may yet", async ({ open }) => {
  const page = await open('/agents');
  await expect(page.getByRole('heading', { name: 'This browser’s agents' })).toBeVisible();
  await expect(page.getByText('claude mcp add')).toBeVisible();
  for (const granted of await page.getByRole('switch').all())
    await expect(granted).toHaveAttribute('aria-checked', 'false');
});

/** The list of tables: folders, search, the trash and the ways back. */
import { expect, sampleAddress, samplePath, saveQuery, test, visit } from '../support/app.ts';

test('a search narrows the list, and is an address', async ({ openWithSample }) => {
  const page = await openWithSample();
  await saveQuery(page, 'SELECT 1 AS a', 'research/one');
  await visit(page, '/');
  await expect(page.locator('main [data-row]')).toHaveCount(2);
  await page.getByRole('searchbox').fill('invented');
  await expect(page.locator('main [data-row]')).toHaveCount(1);
  await expect(page).toHaveURL(/\?q=invented$/);
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('invented');
  await expect(page.locator('main [data-row]')).toHaveText([samplePath]);
  await page.getByRole('searchbox').fill('nothing like it');
  await expect(page.getByText('No table has “nothing like it”')).toBeVisible();
});

test('a folder is an address, and its parts lead up', async ({ openWithSample }) => {
  const page = await openWithSample();
  await page.getByRole('link', { name: 'samples' }).click();
  await expect(page).toHaveURL(/\?in=samples$/);
  await expect(page.locator('main [data-row]')).toHaveText([samplePath]);
  await page.getByRole('main').getByRole('link', { name: 'Tables' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('a deleted table comes back by Undo, and from the trash', async ({ openWithSample }) => {
  const page = await openWithSample();
  const remove = async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
    await expect(page.getByText(`${samplePath} is in the trash.`)).toBeVisible();
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('360 rows')).toBeVisible();
  await page.getByRole('button', { name: 'Put away' }).first().click();

  await remove();
  await page.getByRole('link', { name: '1 table in the trash' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page).toHaveURL(new RegExp(`${sampleAddress}$`));
  await expect(page.getByText('360 rows')).toBeVisible();
});

test('a table is renamed, and back again', async ({ openWithSample }) => {
  const page = await openWithSample();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('New path').fill('shop/orders');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page).toHaveURL(/\/t\/shop\/orders$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(new RegExp(`${sampleAddress}$`));
});

test('a name that is refused is told where it was given', async ({ openWithSample }) => {
  const page = await openWithSample();
  await saveQuery(page, 'SELECT 1 AS a', 'taken');
  await visit(page, sampleAddress);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await dialog.getByLabel('New path').fill('taken');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Another table has the path "taken"');
  await dialog.getByLabel('New path').fill('free');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(page).toHaveURL(/\/t\/free$/);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

/** The app without a mouse. */
import { expect, saveQuery, test, visit } from '../support/app.ts';

test('j and k go through rows, Enter opens, / searches, ? helps, Escape leaves', async ({ openWithSample }) => {
  const page = await openWithSample();
  await saveQuery(page, 'SELECT 1 AS a', 'a/one');
  await visit(page, '/');
  const rows = page.locator('main [data-row]');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).not.toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeHidden();
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/t\/a\/one$/);
});

test('the first Tab leads past the ways to the page', async ({ read }) => {
  const page = await read('/receipts');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('j enters the grid of a table, which then has the keys of a spreadsheet', async ({ read }) => {
  const page = await read();
  await page.keyboard.press('j');
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeFocused();
  await page.keyboard.press('Control+ArrowDown');
  // Updated rows lie last.
  await expect(page.getByRole('gridcell', { name: '1043', exact: true })).toBeFocused();
});

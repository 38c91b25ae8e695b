/** A table's history: who, why and what; two versions beside each other; back and forth. */
import { expect, sampleAddress, test, visit } from '../support/app.ts';

test('the history says what each version did, who made it and why', async ({ read }) => {
  const page = await read(`${sampleAddress}?show=history`);
  const versions = page.locator('.timeline > li');
  await expect(versions).toHaveCount(2);
  await expect(versions.nth(0)).toContainText('Version 2 rows updated ~3');
  await expect(versions.nth(0)).toContainText('Recounted three orders');
  await expect(versions.nth(1)).toContainText('+360');
  await expect(versions.nth(1)).toContainText('by you');
});

test('a difference shows changed cells with what they were and are', async ({ read }) => {
  const page = await read(`${sampleAddress}?show=history`);
  await page.getByRole('link', { name: 'Changes of version 2' }).click();
  await expect(page).toHaveURL(/show=diff&from=1&to=2$/);
  await expect(page.locator('.diff-counts')).toContainText('3 changed');
  await expect(page.getByText('rows matched by order_id')).toBeVisible();
  const changed = page.locator('tr[data-change="changed"]');
  await expect(changed).toHaveCount(3);
  const cell = changed.first().locator('.changed-cell');
  const was = Number(await cell.locator('del').textContent());
  expect(Number(await cell.locator('ins').textContent())).toBe(was + 1);
});

test('a difference of any two versions is an address', async ({ read }) => {
  const page = await read(`${sampleAddress}?show=diff&from=1&to=2`);
  await expect(page.locator('tr[data-change="changed"]')).toHaveCount(3);
  await page.getByLabel('From version').selectOption('2');
  await expect(page.getByText('No row differs.')).toBeVisible();
  await expect(page).toHaveURL(/from=2&to=2$/);
});

test('a restored version is a new one, and is undone', async ({ openWithSample }) => {
  const page = await openWithSample(`${sampleAddress}?show=history`);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(page.getByText('Version 1 is the latest again, as version 3.')).toBeVisible();
  await expect(page.locator('.timeline > li')).toHaveCount(3);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.timeline > li')).toHaveCount(4);
  await expect(page.locator('.timeline > li').first()).toContainText('Undo: back to version 2');
});

test('an old version can be looked at, and says that it is old', async ({ read }) => {
  const page = await read(`${sampleAddress}@1`);
  await expect(page.getByRole('note')).toContainText('This is version 1; the latest is 2.');
  await page.getByRole('link', { name: 'What changed since' }).click();
  await expect(page.locator('tr[data-change="changed"]')).toHaveCount(3);
});

test('a version that never was is not given out as one', async ({ read }) => {
  const page = await read(`${sampleAddress}@9`);
  await expect(page.getByRole('note')).toContainText('There is no version 9; the latest is 2.');
  await expect(page.locator('.facts')).not.toContainText('by you');
  await expect(page.getByRole('alert')).toContainText('has no version 9');
  await page.getByRole('link', { name: 'Go to the latest' }).click();
  await expect(page.getByRole('gridcell', { name: '1001', exact: true })).toBeVisible();
});

test('what a column means is said where it stands, and taken back', async ({ openWithSample }) => {
  const page = await openWithSample(`${sampleAddress}?show=columns`);
  await page.getByRole('button', { name: 'Describe: the meaning of drink' }).click();
  await page.getByRole('textbox', { name: 'the meaning of drink' }).fill('What was ordered');
  await page.keyboard.press('Enter');
  await expect(page.getByText('What was ordered')).toBeVisible();
  await visit(page, sampleAddress);
  await page.getByRole('gridcell', { name: '1001', exact: true }).dblclick();
  await expect(page.locator('.record')).toContainText('What was ordered');
  await visit(page, `${sampleAddress}?show=columns`);
  await page.getByRole('button', { name: 'Edit the meaning of drink' }).click();
  await page.getByRole('textbox', { name: 'the meaning of drink' }).fill('');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('What was ordered')).toBeVisible();
});

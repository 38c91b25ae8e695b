/** The console: a query is an address; mistakes have a place; results become tables and receipts. */
import { expect, sampleAddress, samplePath, saveQuery, test, visit } from '../support/app.ts';

const sums = `SELECT drink, sum(cups)::INT AS cups FROM "${samplePath}" GROUP BY ALL ORDER BY cups DESC`;

test('a query is written, run and kept in the address', async ({ read }) => {
  const page = await read('/query');
  const editor = page.getByRole('textbox', { name: 'SQL' });
  await editor.fill(sums);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('5 rows')).toBeVisible();
  await expect(page.getByRole('link', { name: `${samplePath}@2` })).toBeVisible();
  await page.reload();
  await expect(page.getByText('5 rows')).toBeVisible();
  await expect(editor).toContainText('GROUP BY ALL');
});

test('paths and columns are completed', async ({ read }) => {
  const page = await read('/query');
  const editor = page.getByRole('textbox', { name: 'SQL' });
  await editor.click();
  await page.keyboard.type('SELECT * FROM coff');
  await page.getByRole('option', { name: samplePath }).click();
  await expect(editor).toContainText(`SELECT * FROM "${samplePath}"`);
  await page.keyboard.type(' WHERE ordered');
  await page.getByRole('option', { name: /^ordered_on/ }).click();
  await expect(editor).toContainText('WHERE ordered_on');
});

test('a path is completed within the quotes that the editor closes, once', async ({ read }) => {
  const page = await read('/query');
  const editor = page.getByRole('textbox', { name: 'SQL' });
  await editor.click();
  await page.keyboard.type('SELECT count(*) AS n FROM "coff');
  await expect(page.getByRole('option', { name: samplePath })).toBeVisible();
  // Only what the query's tables hold is offered between quotes.
  await expect(page.getByRole('option')).toHaveCount(1);
  // CodeMirror takes no Enter for an acceptance in the first moments that the list is open.
  await expect(async () => {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option')).toHaveCount(0, { timeout: 200 });
  }).toPass();
  await page.keyboard.type(' WHERE cups > 1');
  await expect(editor).toHaveText(`SELECT count(*) AS n FROM "${samplePath}" WHERE cups > 1`);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('1 row', { exact: true })).toBeVisible();
});

test('a mistake is marked where it is', async ({ read }) => {
  const page = await read('/query');
  await visit(page, `/query?${new URLSearchParams({ sql: `SELECT drink,\n  nope\nFROM "${samplePath}"` })}`);
  await expect(page.getByRole('alert')).toContainText('"nope" not found');
  await expect(page.getByRole('alert')).toContainText('Line 2, column 3');
  await expect(page.locator('st-sql-editor .cm-mistake')).toHaveText(/nope/);
});

test('a query that would write is refused in words', async ({ read }) => {
  const page = await read('/query');
  await visit(page, `/query?${new URLSearchParams({ sql: 'DROP TABLE x' })}`);
  await expect(page.getByRole('alert')).toBeVisible();
});

test('a result is saved as a table', async ({ openWithSample }) => {
  const page = await openWithSample('/query');
  await visit(page, `/query?${new URLSearchParams({ sql: sums })}`);
  await page.getByLabel('Save as', { exact: true }).fill('reports/drinks');
  await page.getByRole('button', { name: 'Save as table' }).click();
  await page.getByRole('link', { name: 'reports/drinks' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('drinks');
  await expect(page.getByText('5 rows', { exact: true })).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'espresso' })).toBeVisible();
});

test('a result that took the place of a table is undone, and so is one that made one', async ({ openWithSample }) => {
  const page = await openWithSample();
  await saveQuery(page, 'SELECT 1 AS a', samplePath);
  await expect(page.getByText('Saved 1 row')).toContainText('version 3');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`${samplePath} is as it was before.`)).toBeVisible();
  await expect(page.getByText('Saved 1 row')).toHaveCount(0);
  await saveQuery(page, 'SELECT 2 AS a', 'reports/new');
  // What was refused is not said to be saved, whatever was saved before.
  await page.getByLabel('Save as', { exact: true }).fill('reports@1');
  await page.getByRole('button', { name: 'Save as table' }).click();
  await expect(page.getByRole('alert')).toContainText('holds @');
  await expect(page.getByText('Saved 1 row')).toHaveCount(0);
  await saveQuery(page, 'SELECT 3 AS a', 'reports/other');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('reports/other is in the trash.')).toBeVisible();
  await visit(page, '/');
  await expect(page.locator('main [data-row]')).toHaveText(['reports/new', samplePath]);
  await expect(page.getByText('360', { exact: true })).toBeVisible();
});

test('an undo that would take back more than was written is refused', async ({ openWithSample, context }) => {
  const page = await openWithSample();
  await saveQuery(page, 'SELECT 1 AS a', samplePath);
  const other = await context.newPage();
  await other.goto(page.url());
  await saveQuery(other, 'SELECT 2 AS a', samplePath);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.notice[data-error]')).toContainText('version 4');
  await visit(page, sampleAddress);
  await expect(page.getByRole('gridcell', { name: '2', exact: true })).toBeVisible();
});

/** Tables and results as files: exact ones come back as they were, and those for spreadsheets run nothing. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, sampleAddress, saveQuery, test, visit } from '../support/app.ts';

const odd = `SELECT * FROM (VALUES
  ('=1+1', '007', -12.5, 9007199254740993),
  ('-12.5', '', NULL, -1),
  ('@SUM(A1)', NULL, 0.25, 2),
  ('two
lines, "quoted"', '+49 30', 1e-7, NULL)) AS odd(text, code, number, big)`;

/** As browsers without a picker of places do it. */
async function saved(page: Page, choose: () => Promise<void>): Promise<string> {
  await page.evaluate(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
  await choose();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Download' }).getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  await expect(page.getByRole('dialog', { name: 'Download' })).toBeHidden();
  return download.path();
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Download…' }).click();
}

/** What the grid shows of a query. */
async function rowsOf(page: Page, sql: string): Promise<string[]> {
  await visit(page, `/query?${new URLSearchParams({ sql })}`);
  const cells = page.getByRole('gridcell');
  await expect(cells.first()).toBeVisible();
  return cells.allTextContents();
}

async function imported(page: Page, file: string, path: string): Promise<void> {
  await visit(page, '/import');
  const buffer = await readFile(file);
  await page.locator('input[type=file]').setInputFiles({ name: 'back.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel('Path').fill(path);
  await page.getByRole('button', { name: /^Import/ }).click();
  await expect(page.getByText('4 rows imported into')).toBeVisible();
}

test('an exact file of a table comes back as the same rows', async ({ open }) => {
  const page = await open('/');
  await saveQuery(page, odd, 'odd/cells');
  await visit(page, '/t/odd/cells');
  const file = await saved(page, () => openDialog(page));
  expect(await readFile(file, 'utf8')).toBe(
    'text,code,number,big\r\n=1+1,007,-12.5,9007199254740993\r\n-12.5,"",,-1\r\n@SUM(A1),,0.25,2\r\n' +
      '"two\nlines, ""quoted""",+49 30,1e-7,\r\n',
  );
  await imported(page, file, 'odd/back');
  const differing = `SELECT count(*) AS differing FROM (
    (FROM "odd/cells" EXCEPT ALL FROM "odd/back") UNION ALL (FROM "odd/back" EXCEPT ALL FROM "odd/cells"))`;
  expect(await rowsOf(page, differing)).toEqual(['0']);
});

test('a file for spreadsheets keeps numbers, and has no cell that runs as a formula', async ({ open }) => {
  const page = await open('/');
  await saveQuery(page, odd, 'odd/cells');
  await visit(page, '/t/odd/cells');
  const file = await saved(page, async () => {
    await openDialog(page);
    await page.getByLabel('CSV for spreadsheets').check();
  });
  await imported(page, file, 'odd/back');
  const text = await rowsOf(page, `SELECT text, code, "number"::VARCHAR FROM "odd/back"`);
  expect(text).toEqual([
    "'=1+1",
    '007',
    '-12.5',
    '-12.5',
    '',
    'null',
    "'@SUM(A1)",
    'null',
    '0.25',
    'two\nlines, "quoted"',
    "'+49 30",
    '1e-07',
  ]);
});

test('rows that are shown are saved as they are sorted and filtered, or all of them', async ({ read }) => {
  const where = JSON.stringify(['cups', '>=', 5]);
  const page = await read(`${sampleAddress}?${new URLSearchParams({ where, desc: 'order_id' })}`);
  const shown = (await readFile(await saved(page, () => openDialog(page)), 'utf8')).trimEnd().split('\r\n');
  const all = await readFile(
    await saved(page, async () => {
      await openDialog(page);
      await page.getByLabel('All 360 rows').check();
    }),
    'utf8',
  );
  expect(all.trimEnd().split('\r\n')).toHaveLength(361);
  const cups = shown[0]!.split(',').indexOf('cups');
  const rows = shown.slice(1).map((line) => line.split(','));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => Number(row[cups]) >= 5)).toBe(true);
  const ids = rows.map(([id]) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});

test('a result is saved as a file', async ({ read }) => {
  const page = await read(`/query?${new URLSearchParams({ sql: "SELECT 42 AS answer, '=x' AS text" })}`);
  const file = await saved(page, () => page.getByRole('button', { name: 'Download…' }).click());
  expect(await readFile(file, 'utf8')).toBe('answer,text\r\n42,=x\r\n');
});

/** A store that cannot be opened: what is wrong is said, nothing is emptied, and the ways on lead on. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BrowserContext, Download, Page } from '@playwright/test';
import { expect, loadSample, samplePath, test } from '../support/app.ts';
import { flipHeaders, removeRecord } from '../support/damage.ts';

/** A place within the path that a file of the pool is for, at the start of its header. */
const inPath = 3;

/** The app on a store that was damaged beyond mending while no tab held it; and a page that can undo the damage. */
async function damaged(open: (path: string) => Promise<Page>, context: BrowserContext) {
  const first = await open('/');
  await loadSample(first);
  const outside = await context.newPage();
  // A file that opens no store.
  await outside.goto(new URL('/service_worker.js', first.url()).href);
  await first.close();
  await removeRecord(outside);
  expect(await flipHeaders(outside, inPath)).toBeGreaterThan(0);
  const page = await open('/');
  await expect(page.getByRole('heading', { name: 'Your tables cannot be opened' })).toBeVisible();
  return { page, mend: () => flipHeaders(outside, inPath) };
}

test('it is told, what can be read is saved, and once it is mended the tables are there again', async ({
  open,
  context,
}, { outputDir }) => {
  const { page, mend } = await damaged(open, context);
  await expect(page.getByRole('alert')).toContainText('nothing in it was changed');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
  await expect(page.getByRole('heading', { name: 'Your tables cannot be opened' })).toBeVisible();
  const saved: Download[] = [];
  page.on('download', (download) => saved.push(download));
  await page.getByRole('button', { name: 'Export what can be read' }).click();
  const names = () => saved.map((download) => download.suggestedFilename()).sort();
  await expect.poll(names).toEqual(['stele.sqlite', 'stele.sqlite-wal']);
  for (const download of saved) await download.saveAs(join(outputDir, download.suggestedFilename()));
  // What headers said was damaged, and not what lay behind them: a desk opens it.
  const query = ['--file', join(outputDir, 'stele.sqlite'), '--format', 'json', 'query'];
  const sql = `SELECT count(*) AS orders FROM "${samplePath}"`;
  expect(execFileSync('node', ['edge/desk/stele.ts', ...query, sql], { encoding: 'utf8' })).toContain('360');

  expect(await mend()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'samples/coffee-orders' })).toBeVisible();
});

test('an empty workspace is begun only when one says so, and keeps the other beside it', async ({ open, context }) => {
  const { page, mend } = await damaged(open, context);
  await page.getByRole('button', { name: 'Start empty' }).click();
  const question = page.getByRole('alert').filter({ hasText: 'An empty workspace takes' });
  await question.getByRole('button', { name: 'Leave it' }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole('button', { name: 'Start empty' }).click();
  await question.getByRole('button', { name: 'Start empty' }).click();
  await expect(page.getByText('No tables yet')).toBeVisible();
  // At its next opening, what no record names is removed.
  await page.reload();
  await expect(page.getByText('No tables yet')).toBeVisible();
  expect(await mend()).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Storage' }).click();
  await page.getByRole('button', { name: 'Change back' }).click();
  await page.getByRole('link', { name: 'Tables', exact: true }).click();
  await expect(page.getByRole('link', { name: 'samples/coffee-orders' })).toBeVisible();
});

/** The whole workspace as one file, out and in again; what is no whole backup is refused before anything changes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { removeRecord } from '../support/damage.ts';
import { call, expect, openTab, rowsOf, test } from '../support/harness.ts';

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stele-backup-'));
});
test.afterAll(() => rmSync(folder, { recursive: true }));

/** The page's backup as a file on this machine. */
async function saved(page: Page, name: string): Promise<string> {
  const downloading = page.waitForEvent('download');
  await page.evaluate(async () => {
    const { name, bytes } = await window.workspace.exportBackup();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await new Response(bytes).blob());
    link.download = name;
    link.click();
  });
  const path = join(folder, name);
  await (await downloading).saveAs(path);
  return path;
}

/** What importBackup answers or throws, as the app sees it. */
async function imported(page: Page, path: string): Promise<unknown> {
  await page.evaluate(() => {
    document.body.innerHTML = '<input type="file">';
  });
  await page.locator('input').setInputFiles(path);
  return page.evaluate(async () => {
    const file = document.querySelector<HTMLInputElement>('input')!.files![0]!;
    return window.workspace.importBackup(file).then(
      ({ problem }) => problem ?? 'imported',
      (error) => error.answer?.error ?? String(error),
    );
  });
}

function stele(...args: string[]): string {
  return execFileSync('node', ['edge/desk/stele.ts', ...args], { encoding: 'utf8' });
}

test('a backup brings every table and version into another browser', async ({ context, browser, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 't', rows: [{ n: 1 }] });
  await call(page, 'write_table', { table: 't', rows: [{ n: 2 }], mode: 'append' });
  const path = await saved(page, 'a.sqlite');

  const other = await openTab(await browser.newContext(), host);
  expect(await imported(other, path)).toBe('imported');
  expect(await rowsOf(other, 'SELECT sum(n) FROM t')).toEqual([['3']]);
  expect(await rowsOf(other, 'SELECT n FROM "t@1"')).toEqual([[1]]);
  await other.context().close();
});

test('the desk opens the page’s backup, and the page the desk’s', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 'from/page', rows: [{ n: 41 }] });
  const path = await saved(page, 'b.sqlite');
  const query = ['--file', path, '--format', 'json', 'query'];
  expect(stele(...query, 'SELECT n FROM "from/page"')).toContain('41');

  stele('--file', path, 'call', 'write_table', JSON.stringify({ table: 'from/desk', rows: [{ n: 42 }] }));
  expect(await imported(page, path)).toBe('imported');
  expect(await rowsOf(page, 'SELECT n FROM "from/desk"')).toEqual([[42]]);
});

test('an import can be undone, and undone again', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 'old', rows: [{ n: 1 }] });
  const path = await saved(page, 'c.sqlite');
  await call(page, 'write_table', { table: 'newer', rows: [{ n: 2 }] });
  await imported(page, path);
  const paths = async () => {
    const { tables } = await call(page, 'list_tables', {});
    return (tables as { path: string }[]).map(({ path }) => path).sort();
  };
  expect(await paths()).toEqual(['old']);
  await page.evaluate(() => window.workspace.undoImport());
  expect(await paths()).toEqual(['newer', 'old']);
  await page.evaluate(() => window.workspace.undoImport());
  expect(await paths()).toEqual(['old']);
});

test('a backup that one tab brings back is there for all, whoever holds the store', async ({ context, host }) => {
  const leader = await openTab(context, host);
  const follower = await openTab(context, host);
  await call(follower, 'write_table', { table: 't', rows: [{ n: 1 }] });
  const path = await saved(follower, 'e.sqlite');
  await call(leader, 'write_table', { table: 't', rows: [{ n: 2 }], mode: 'replace' });
  expect(await imported(follower, path)).toBe('imported');
  expect(await rowsOf(leader, 'SELECT n FROM t')).toEqual([[1]]);
  await leader.evaluate(() => window.workspace.undoImport());
  expect(await rowsOf(follower, 'SELECT n FROM t')).toEqual([[2]]);
});

test('writes that come while a backup is read out are not in it, and are not lost', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 't', rows: [{ n: 1 }] });
  const counts = await page.evaluate(async () => {
    const caller = { author: 'test', read: true, write: true, share: true, origin: '' };
    const { bytes } = await window.workspace.exportBackup();
    const reader = bytes.getReader();
    const parts = [(await reader.read()).value!];
    for (let n = 2; n <= 20; ++n) {
      await window.workspace.call('write_table', { table: 't', rows: [{ n }], mode: 'append' }, caller);
    }
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
    const other = await window.stele.openWorkspace({ name: 'other' });
    await other.importBackup(new Blob(parts));
    const count = async (workspace: typeof other) =>
      (await workspace.call('query', { sql: 'SELECT count(*) FROM t' }, caller)).value.rows;
    const found = [await count(window.workspace), await count(other)];
    await other.close();
    return found;
  });
  expect(counts).toEqual([[[20]], [[1]]]);
});

test('an empty workspace begun where the record of several is lost lets none of them go', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 'first', rows: [{ n: 1 }] });
  const path = await saved(page, 'f.sqlite');
  await call(page, 'write_table', { table: 'second', rows: [{ n: 2 }] });
  expect(await imported(page, path)).toBe('imported');
  await page.evaluate(() => window.workspace.close());
  await removeRecord(page);
  const reopen = () =>
    page.evaluate(async () => {
      window.workspace = await window.stele.openWorkspace();
      return window.workspace.state.problem?.error ?? 'open';
    });
  const generations = () =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const folder = await (await root.getDirectoryHandle('stele')).getDirectoryHandle('default');
      const names: string[] = [];
      for await (const { kind, name } of folder.values()) if (kind === 'directory') names.push(name);
      return names.sort();
    });
  expect(await reopen()).toBe('storage_damaged');
  await page.evaluate(() => window.workspace.startEmpty());
  await page.evaluate(() => window.workspace.close());
  expect(await reopen()).toBe('open');
  expect((await call(page, 'list_tables', {})).total).toBe(0);
  expect(await generations()).toEqual(['g1', 'g2', 'g3']);
  await page.evaluate(() => window.workspace.undoImport());
  expect(await rowsOf(page, 'SELECT n FROM first')).toEqual([[1]]);
  await page.evaluate(() => window.workspace.close());
  expect(await reopen()).toBe('open');
  expect(await generations()).toEqual(['g1', 'g2', 'g3']);
  await page.evaluate(() => window.workspace.discardPrevious());
  expect(await generations()).toEqual(['g2']);
});

test('a wrong or damaged file is refused before anything changes', async ({ context, host }) => {
  const page = await openTab(context, host);
  const rows = Array.from({ length: 5000 }, (_, n) => ({ n, text: `row ${n} ${(n * 7919) % 1009}` }));
  await call(page, 'write_table', { table: 't', rows });
  const whole = readFileSync(await saved(page, 'd.sqlite'));
  const flipped = Buffer.from(whole);
  const segment = whole.indexOf('PAR1');
  flipped[segment + 100]! ^= 1;
  const other = Buffer.from(whole);
  other.write('SQLite format 4', 0);
  const cases: [string, Buffer, string][] = [
    ['text.sqlite', Buffer.from('a,b\n1,2\n'), 'not_a_backup'],
    ['magic.sqlite', other, 'not_a_backup'],
    ['empty.sqlite', Buffer.alloc(0), 'not_a_backup'],
    ['short.sqlite', whole.subarray(0, whole.length - 65536), 'damaged_backup'],
    ['odd.sqlite', whole.subarray(0, whole.length - 1000), 'damaged_backup'],
    ['flipped.sqlite', flipped, 'damaged_backup'],
  ];
  for (const [name, bytes, error] of cases) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    expect(await imported(page, path), name).toBe(error);
    expect(await rowsOf(page, 'SELECT count(*) FROM t')).toEqual([[5000]]);
  }
  const { hasPrevious } = await page.evaluate(() => window.workspace.storage());
  expect(hasPrevious).toBe(false);
});

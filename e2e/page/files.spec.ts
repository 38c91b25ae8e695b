/** Files that the person drops and files from the web, into tables. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { answer, call, expect, openTab, rowsOf, test } from '../support/harness.ts';

const cases = fileURLToPath(new URL('../../tests/cases', import.meta.url));

async function dropped(page: Page, path: string, args: object): Promise<{ value: unknown; isError: boolean }> {
  await page.evaluate(() => {
    document.body.innerHTML = '<input type="file">';
  });
  await page.locator('input').setInputFiles(path);
  const imported = page.evaluate((args) => {
    const file = document.querySelector<HTMLInputElement>('input')!.files![0]!;
    const caller = { author: 'test', read: true, write: true, share: true, origin: '' };
    return window.workspace.importFile(file, args as never, caller) as Promise<unknown>;
  }, args);
  return (await imported) as { value: unknown; isError: boolean };
}

test('a dropped file becomes a table, from a tab that leads and from one that follows', async ({ context, host }) => {
  const leader = await openTab(context, host);
  const follower = await openTab(context, host);
  const file = `${cases}/01-leading-zero.csv`;
  expect(await dropped(leader, file, { table: 'a' })).toMatchObject({ isError: false });
  expect(await dropped(follower, file, { table: 'b' })).toMatchObject({ isError: false });
  expect(await rowsOf(leader, 'SELECT * FROM b')).toEqual(await rowsOf(follower, 'SELECT * FROM a'));
});

test('a dropped Parquet file becomes a table', async ({ context, host }) => {
  const page = await openTab(context, host);
  expect(await dropped(page, `${cases}/37a-types.parquet`, { table: 'typed' })).toMatchObject({ isError: false });
  expect((await rowsOf(page, 'SELECT * FROM typed')).length).toBeGreaterThan(0);
});

test('a dropped workbook becomes a table', async ({ context, host }) => {
  const page = await openTab(context, host);
  expect(await dropped(page, `${cases}/33-merged.xlsx`, { table: 'sheet' })).toMatchObject({ isError: false });
  expect((await rowsOf(page, 'SELECT * FROM sheet')).length).toBeGreaterThan(0);
});

test('the URL of a chosen file is worth nothing to a call that is not the person’s', async ({ context, host }) => {
  const page = await openTab(context, host);
  const url = await page.evaluate(() => window.workspace.urlOf(new File(['a\n1\n'], 'a.csv')));
  expect(await answer(page, 'import_table', { table: 'a', source_url: url })).toMatchObject({
    isError: true,
    value: { error: 'url_refused' },
  });
});

test('a file of another site is imported if that site lets pages read it, else the refusal says how to go on', async ({
  context,
  host,
}) => {
  const server = createServer((request, response) => {
    if (request.url === '/open.csv') response.setHeader('access-control-allow-origin', '*');
    response.end('n\n1\n2\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await openTab(context, host);
  await call(page, 'import_table', { table: 'open', source_url: `${origin}/open.csv` });
  expect(await rowsOf(page, 'SELECT sum(n) FROM open')).toEqual([['3']]);
  expect(await answer(page, 'import_table', { table: 'closed', source_url: `${origin}/closed.csv` })).toMatchObject({
    isError: true,
    value: { error: 'cors_refused' },
  });
  server.close();
});

test('a download tells how far it is, and when it is cancelled nothing is left of it', async ({ context, host }) => {
  const server = createServer((_request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.write('n\n');
    const more = setInterval(() => response.write('1\n'.repeat(10_000)), 20);
    response.on('close', () => clearInterval(more));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/endless.csv`;
  const page = await openTab(context, host);
  const seen = await page.evaluate(async (source_url) => {
    const caller = { author: 'test', read: true, write: true, share: true, origin: '' };
    const cancelling = new AbortController();
    const told: string[] = [];
    const { value } = await window.workspace.call('import_table', { table: 't', source_url }, caller, {
      signal: cancelling.signal,
      onProgress: ({ what }) => told.push(what) === 5 && cancelling.abort(),
    });
    return { error: value.error, what: told[0] };
  }, url);
  server.closeAllConnections();
  server.close();
  expect(seen).toEqual({ error: 'cancelled', what: 'downloading' });
  expect((await call(page, 'list_tables', {})).total).toBe(0);
});

test('a receipt is signed by a key that is the same after a reload', async ({ context, host }) => {
  const page = await openTab(context, host);
  await call(page, 'write_table', { table: 't', rows: [{ n: 1 }] });
  const signedBy = async () => {
    const { receipt } = await call(page, 'query', { sql: 'SELECT n FROM t', receipt: true });
    return (receipt as { signed_by: unknown }).signed_by;
  };
  const first = await signedBy();
  expect(first).toBeTruthy();
  await page.reload();
  await page.evaluate(async () => void (window.workspace = await window.stele.openWorkspace()));
  expect(await signedBy()).toEqual(first);
});

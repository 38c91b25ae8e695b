/** The same pages at a desk: a shared table and a receipt, by the links that its answers have. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { browserExpect, launch } from './support/chromium.ts';

const command = fileURLToPath(new URL('../../edge/desk/stele.ts', import.meta.url));
const folder = temporaryFolder(afterAll);
const store = join(folder, 'store.sqlite');
let desk: ChildProcess;
let browser: Browser;
let page: Page;

interface Called {
  url: string;
  receipt: { url: string };
}

function call(tool: string, args: object): Promise<Called> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, 'call', tool, '-', '--file', store]);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(out) as Called) : reject(new Error(out))));
    child.stdin.end(JSON.stringify(args));
  });
}

beforeAll(async () => {
  desk = spawn(process.execPath, [command, 'serve', '--port', '0', '--file', store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of desk.stdout!.setEncoding('utf8')) if (String(text).includes('Stop with')) break;
  await call('write_table', {
    table: 'a/b',
    rows: [
      { x: 1, y: 'z' },
      { x: 2, y: '<b>bold</b>' },
    ],
  });
  browser = await launch();
  page = await (await browser.newContext()).newPage();
});
afterAll(async () => {
  await browser?.close();
  desk.kill('SIGTERM');
  await new Promise((resolve) => (desk.exitCode === null ? desk.once('close', resolve) : resolve(0)));
});

test('a shared table has its page and its rows', async () => {
  const { url } = await call('share_table', { table: 'a/b' });
  await page.goto(url);
  await browserExpect(page.getByRole('gridcell', { name: '<b>bold</b>' })).toBeVisible();
  expect(await (await fetch(`${url}/about`)).json()).toMatchObject({ table: 'a/b', version: 1, rows: 2 });
  expect(await (await fetch(`${url}/rows?format=csv&order=-x`)).text()).toBe('x,y\r\n2,<b>bold</b>\r\n1,z\r\n');
  expect((await fetch(`${url}/rows?sql=SELECT%201`)).status).toBe(403);
});

test('a receipt is checked and run again, and nobody vouches for the key', async () => {
  const { receipt } = await call('query', { sql: 'SELECT max(x) AS most FROM "a/b"', receipt: true });
  await page.goto(receipt.url);
  const shown = page.frameLocator('iframe');
  await browserExpect(shown.getByText('Nobody vouches for this key')).toBeVisible();
  await shown.getByRole('button', { name: 'Run it again' }).click();
  await browserExpect(shown.getByText('same 1 row.')).toBeVisible();
});

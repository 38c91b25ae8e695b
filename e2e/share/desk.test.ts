/** The same pages at a desk: a shared table and a receipt, by the links that its answers have. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { serveStatic } from '../support/static_server.ts';
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

function run(args: string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args, '--file', store]);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.once('close', (code) => (code === 0 ? resolve(out) : reject(new Error(out))));
    child.stdin.end(input);
  });
}

async function call(tool: string, args: object): Promise<Called> {
  return JSON.parse(await run(['call', tool, '-'], JSON.stringify(args))) as Called;
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

test('a table as a folder opens from a static host, the desk away', async () => {
  await run(['bundle', 'a/b', join(folder, 'site', 'b')]);
  const host = await serveStatic(join(folder, 'site'));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${host.origin}/b/`);
  await browserExpect(page.getByRole('gridcell', { name: '<b>bold</b>' })).toBeVisible();
  expect(asked.filter((url) => !url.startsWith(`${host.origin}/b/`))).toEqual([]);
  await host.close();
});

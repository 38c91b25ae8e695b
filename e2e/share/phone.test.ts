/**
 * A person with a phone and a chat: an assistant's answer names a figure and links its receipt. From that figure to "same rows" it
 * takes two taps, on the link and on the button that runs it again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Locator } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from '../edge/support/client.ts';
import { serveStatic, type StaticServer } from '../support/static_server.ts';
import { browserExpect, complaints, launch, overflow } from './support/chromium.ts';
import { rowCount, type SharedTable, shareTable, table } from './support/shared_table.ts';

const state = temporaryFolder(afterAll);
const chatFolder = temporaryFolder(afterAll);
let shared: SharedTable;
let chat: StaticServer;
let browser: Browser;
let phone: BrowserContext;

beforeAll(async () => {
  shared = await shareTable(state);
  chat = await serveStatic(chatFolder);
  browser = await launch();
  phone = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([chat?.close(), shared?.client.close()]);
  await shared?.edge.kill();
});

/** The chat's page, with an answer as an assistant writes it and the link as the tool gave it. */
function answer(words: string, link: string): string {
  const name = 'chat.html';
  const escaped = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  writeFileSync(
    join(chatFolder, name),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Chat</title><link rel="icon" href="data:,"></head><body><p>${words} <a href="${escaped}">receipt</a></p></body></html>`,
  );
  return `${chat.origin}/${name}`;
}

test.each([
  ['that travels in its link', `SELECT count(*) AS orders FROM "${table}"`],
  ['that the server keeps', `SELECT count(*) AS orders FROM "${table}" /* ${'long '.repeat(500)} */`],
])('a figure with a receipt %s is checked in two taps', async (_which, sql) => {
  const { receipt } = await call(shared.client, 'query', { sql, receipt: true });
  const page = await phone.newPage();
  const heard = complaints(page);
  let taps = 0;
  const tap = async (target: Locator) => {
    await target.tap();
    ++taps;
  };
  await page.goto(answer(`There were ${rowCount} orders.`, (receipt as { url: string }).url));
  await tap(page.getByRole('link', { name: 'receipt' }));
  const shown = page.frameLocator('iframe');
  // What the chat said stands there, and who vouches for it, before anything else is touched.
  await browserExpect(shown.getByText(String(rowCount), { exact: true })).toBeInViewport();
  await browserExpect(shown.getByText('vouches for this key.')).toBeInViewport();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  const again = shown.getByRole('button', { name: 'Run it again' });
  const { height = 0, width = 0 } = (await again.boundingBox()) ?? {};
  expect(Math.min(height, width)).toBeGreaterThanOrEqual(24);
  await tap(again);
  const { host } = new URL(shared.edge.origin);
  await browserExpect(shown.getByText(`Re-run just now by ${host} on the same versions: same 1 row.`)).toBeInViewport();
  expect(taps).toBeLessThanOrEqual(2);
  expect(heard).toEqual([]);
  await page.close();
});

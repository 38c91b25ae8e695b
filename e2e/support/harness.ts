/** The tests' fixtures: a static host with the harness on it, and pages of one browser profile that open workspaces. */
import { test as base, type BrowserContext, chromium, type Page } from '@playwright/test';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Workspace } from '../../worker/workspace.ts';
import type { Answer } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { serveStatic, type StaticServer } from './static_server.ts';
import type {} from '../harness/harness.ts';

declare global {
  interface Window {
    workspace: Workspace;
  }
}

export const harnessFolder = fileURLToPath(new URL('../../build/harness', import.meta.url));
export const appFolder = fileURLToPath(new URL('../../build/web', import.meta.url));

export const test = base.extend<object, { host: StaticServer }>({
  /** A profile on disk: those that Playwright makes otherwise keep the origin's own file system in memory. */
  context: async ({ launchOptions }, use, info) => {
    const profile = info.outputPath('profile');
    const context = await chromium.launchPersistentContext(profile, launchOptions);
    await use(context);
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  },
  host: [
    // Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const host = await serveStatic(harnessFolder);
      await use(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
});
export { expect } from '@playwright/test';

/** A tab with an open workspace. */
export async function openTab(context: BrowserContext, host: StaticServer, name = 'default'): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(`page: ${message.text()}`);
  });
  await page.goto(`${host.origin}/`);
  await page.evaluate(async (name) => void (window.workspace = await window.stele.openWorkspace({ name })), name);
  return page;
}

/** The value of a tool's answer; throws if it is an error. */
export async function call(page: Page, tool: string, args: JsonObject): Promise<JsonObject> {
  const { value, isError } = await answer(page, tool, args);
  if (isError) throw new Error(`${tool}: ${JSON.stringify(value)}`);
  return value;
}

export function answer(page: Page, tool: string, args: JsonObject): Promise<Answer> {
  const evaluated = page.evaluate(
    ([tool, args]) => {
      const caller = { author: 'test', read: true, write: true, share: true, origin: location.origin };
      return window.workspace.call(tool, JSON.parse(args), caller) as Promise<unknown>;
    },
    [tool, JSON.stringify(args)] as const,
  );
  return evaluated as Promise<Answer>;
}

export async function rowsOf(page: Page, sql: string): Promise<unknown[][]> {
  return (await call(page, 'query', { sql, limit: 500 })).rows as unknown[][];
}

/** The first column of all rows; answers of a call are cut at 500. The statement orders them. */
export async function columnOf<T>(page: Page, sql: string): Promise<T[]> {
  const values: T[] = [];
  for (;;) {
    const rows = await rowsOf(page, `${sql} LIMIT 500 OFFSET ${values.length}`);
    values.push(...rows.map(([value]) => value as T));
    if (rows.length < 500) return values;
  }
}

/** Fixtures of the in-page server's tests: the tables' page on one origin, agents' pages on others, and a person's hands. */
import { type BrowserContext, expect as baseExpect, type Page, test as base } from '@playwright/test';
import { appFolder, harnessFolder } from './harness.ts';
import { serveStatic, type StaticServer } from './static_server.ts';
import type {} from '../harness/agent.ts';

/** `tables` is where the tables are. 127.0.0.1 and localhost are two sites, two ports of a host are two origins of one. */
export interface Hosts {
  tables: StaticServer;
  /** A page of another site. */
  agent: StaticServer;
  /** Another origin of the tables' own site. */
  neighbour: StaticServer;
}

export const test = base.extend<object, { hosts: Hosts }>({
  hosts: [
    async ({}, use) => {
      const hosts = {
        tables: await serveStatic(appFolder, { hostname: 'localhost', fallback: '/index.html' }),
        agent: await serveStatic(harnessFolder, { hostname: '127.0.0.1' }),
        neighbour: await serveStatic(harnessFolder, { hostname: 'localhost' }),
      };
      await use(hosts);
      await Promise.all(Object.values(hosts).map((host) => host.close()));
    },
    { scope: 'worker' },
  ],
});
/** The first answer starts the module, which takes its time where the machine is busy. */
export const expect = baseExpect.configure({ timeout: 30_000 });

export function tablesUrl({ tables }: Hosts): string {
  return `${tables.origin}/agents`;
}

export async function openAgent(context: BrowserContext, host: StaticServer): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${host.origin}/agent.html`);
  await page.waitForFunction(() => 'agent' in window);
  return page;
}

/** The agent's page opens the tables' page in a window. */
export async function openTables(agent: Page, hosts: Hosts): Promise<Page> {
  const popup = agent.waitForEvent('popup');
  await agent.evaluate((url) => window.agent.open('window', url), tablesUrl(hosts));
  return popup;
}

export async function connect(agent: Page, mode: 'legacy' | { pin: '2026-07-28' } = 'legacy'): Promise<void> {
  await agent.evaluate((mode) => window.agent.connect(mode), mode);
}

export async function call(agent: Page, tool: string, args: Record<string, unknown> = {}) {
  return agent.evaluate(([tool, args]) => window.agent.call(tool, args), [tool, args] as const);
}

/** Presses a button of the question that is asked. */
export async function answer(tables: Page, button: string): Promise<void> {
  const dialog = tables.getByRole('dialog');
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

/** Waits for a question and says what it asks and whom it is about. */
export async function question(tables: Page): Promise<string> {
  const dialog = tables.getByRole('dialog');
  await expect(dialog).toBeVisible();
  return dialog.innerText();
}

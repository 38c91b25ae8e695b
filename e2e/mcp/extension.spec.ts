/** The reference extension, loaded in Chromium, with the tables of an open page. */
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { answer, expect, question, tablesUrl, test } from '../support/agents.ts';

const extension = fileURLToPath(new URL('../../build/extension', import.meta.url));

let context: BrowserContext;

test.beforeAll(async () => {
  const configFile = fileURLToPath(new URL('../../web/extension/vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'warn' });
});

test.beforeEach(async ({}, info) => {
  const { executablePath, args = [] } = info.project.use.launchOptions ?? {};
  context = await chromium.launchPersistentContext(info.outputPath('profile'), {
    ...(executablePath ? { executablePath } : {}),
    // The whole browser without a window: Playwright's own headless shell loads no extensions.
    args: [...args, '--headless=new', `--load-extension=${extension}`, `--disable-extensions-except=${extension}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  });
});
test.afterEach(() => context.close());

/** The panel in a tab of its own: a side panel opens only at a click on the browser's own button. */
async function openPanel(): Promise<Page> {
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  const panel = await context.newPage();
  await panel.goto(new URL('panel.html', worker.url()).href);
  return panel;
}

async function callFrom(panel: Page, tool: string, args: object): Promise<void> {
  await panel.getByLabel('Tool').selectOption(tool);
  await panel.getByLabel('Arguments').fill(JSON.stringify(args));
  await panel.getByRole('button', { name: 'Call' }).click();
}

test('makes a table, queries it and reads a receipt', async ({ hosts }) => {
  const tables = await context.newPage();
  await tables.goto(tablesUrl(hosts));
  await tables.getByRole('switch').first().waitFor();
  const panel = await openPanel();
  await tables.bringToFront();
  expect(await question(tables)).toContain(new URL(panel.url()).host);
  for (const scope of ['Write', 'Share']) await tables.getByRole('dialog').getByRole('switch', { name: scope }).click();
  await answer(tables, 'Allow');

  await expect(panel.getByLabel('Page')).toContainText(hosts.tables.origin);
  await expect(panel.getByLabel('Tool').getByRole('option')).toContainText(['list_tables', 'describe_table', 'query']);
  const shown = panel.locator('#answer');
  await callFrom(panel, 'write_table', { table: 'cities', rows: [{ name: 'Ur', people: 65_000 }] });
  await expect(shown).toContainText('"version": 1');
  await callFrom(panel, 'query', { sql: 'SELECT sum(people)::INT AS people FROM cities', receipt: true });
  await expect(shown).toContainText('65000');
  await expect(panel.getByRole('link', { name: 'Open the receipt' })).toHaveAttribute('href', /\/r[#/]/);
  const { receipt } = JSON.parse(await shown.innerText());
  const read = await context.newPage();
  await read.goto(`${hosts.tables.origin}/r/${receipt.id}`);
  await expect(read.frameLocator('iframe').locator('body')).toContainText(/Unchanged since key/);
});

test('is refused by the page until the person allows it, and again after withdrawal', async ({ hosts }) => {
  const tables = await context.newPage();
  await tables.goto(tablesUrl(hosts));
  await tables.getByRole('switch').first().waitFor();
  const panel = await openPanel();
  const { host: id } = new URL(panel.url());
  await tables.bringToFront();
  await question(tables);
  await expect(panel.getByRole('button', { name: 'Call' })).toBeDisabled();
  await answer(tables, 'Don’t allow');
  await panel.reload();
  await expect(tables.getByRole('dialog')).toBeHidden();

  await tables.bringToFront();
  await tables.getByLabel('Extension id').fill(id);
  await tables.getByRole('button', { name: 'Connect', exact: true }).click();
  await answer(tables, 'Allow');
  await expect(panel.getByRole('button', { name: 'Call' })).toBeEnabled();
  await callFrom(panel, 'list_tables', {});
  await expect(panel.locator('#answer')).toContainText('"tables": []');

  await tables.getByRole('switch', { name: `Read: Extension ${id}` }).click();
  await expect(panel.getByRole('button', { name: 'Call' })).toBeDisabled();
});

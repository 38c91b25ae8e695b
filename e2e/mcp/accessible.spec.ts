/** The agents' page, a question and the activity, for people who do not see them or use no mouse. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { call, connect, expect, openAgent, openTables, question, test } from '../support/agents.ts';

async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test('nothing serious is found in light and dark, and the keyboard is enough', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const connecting = connect(agent);
  await question(tables);
  const allow = tables.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true });
  await expect(allow).toBeEnabled();
  for (const colorScheme of ['light', 'dark'] as const) {
    await tables.emulateMedia({ colorScheme });
    expect(await seriousViolations(tables)).toEqual([]);
  }
  // The focus begins where Enter allows nothing.
  await expect(tables.getByRole('button', { name: 'Don’t allow' })).toBeFocused();
  while (!(await allow.evaluate((button) => button === document.activeElement))) await tables.keyboard.press('Tab');
  await tables.keyboard.press('Enter');
  await connecting;
  await call(agent, 'list_tables');
  await call(agent, 'describe_table', { table: 'none' });
  await expect(tables.getByRole('log').getByRole('listitem')).toHaveCount(2);
  for (const colorScheme of ['light', 'dark'] as const) {
    await tables.emulateMedia({ colorScheme });
    expect(await seriousViolations(tables)).toEqual([]);
  }
});

test('Escape puts a question off, and it can be answered later', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const refused = connect(agent);
  refused.catch(() => {});
  await question(tables);
  await tables.keyboard.press('Escape');
  await expect(refused).rejects.toThrow();
  await tables.getByRole('button', { name: 'Answer now' }).click();
  await tables.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).click();
  await connect(agent);
  expect((await call(agent, 'list_tables')).isError).toBe(false);
});

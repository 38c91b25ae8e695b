/** What an agent's question and its calls look like, as baselines: each light and wide, dark and narrow. */
import { call, connect, expect, openAgent, openTables, question, test } from '../support/agents.ts';
import { look, sameEverywhere } from '../support/looks.ts';

test('a question, and calls as they are listed', async ({ browser, hosts }) => {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce', locale: 'en-GB' });
  await sameEverywhere(context);
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const connecting = connect(agent);
  await question(tables);
  const allow = tables.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true });
  await expect(allow).toBeEnabled();
  await look(tables, 'question', 'light', 'wide');
  await look(tables, 'question', 'dark', 'narrow');
  await allow.click();
  await connecting;

  await tables.setViewportSize({ width: 1280, height: 800 });
  await tables.getByRole('link', { name: 'Tables', exact: true }).click();
  const rows = [
    { name: 'Acme', employees: 120 },
    { name: 'Globex', employees: 4500 },
  ];
  const writing = call(agent, 'write_table', { table: 'research/competitors', rows, message: 'From the report' });
  await expect(allow).toBeEnabled();
  await look(tables, 'question-of-a-call', 'light', 'wide');
  await allow.click();
  await writing;
  await call(agent, 'query', { sql: 'SELECT nme FROM "research/competitors"' });
  await call(agent, 'query', { sql: 'SELECT sum(employees) FROM "research/competitors"' });
  await expect(tables.getByRole('log').getByRole('listitem')).toHaveCount(3);
  await expect(tables.getByText('research/competitors').first()).toBeVisible();
  await look(tables, 'activity', 'light', 'wide');
  await look(tables, 'activity', 'dark', 'narrow');
  await context.close();
});

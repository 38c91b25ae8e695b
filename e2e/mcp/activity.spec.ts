/** What the person sees of an agent's calls, and takes back. */
import { answer, call, connect, expect, openAgent, openTables, question, test } from '../support/agents.ts';

test('calls appear as they happen, and a version can be undone', async ({ context, hosts }) => {
  const agent = await openAgent(context, hosts.agent);
  const tables = await openTables(agent, hosts);
  const feed = tables.getByRole('log');
  const connecting = connect(agent);
  await question(tables);
  await answer(tables, 'Allow');
  await connecting;

  const writing = call(agent, 'write_table', { table: 'sales', rows: [{ n: 1 }, { n: 2 }] });
  await expect(feed).toContainText('waits for you');
  await answer(tables, 'Allow');
  await writing;
  await call(agent, 'write_table', { table: 'sales', rows: [{ n: 3 }], mode: 'append' });
  await call(agent, 'query', { sql: 'SELECT nothing FROM sales' });
  const entries = feed.getByRole('listitem');
  await expect(entries).toHaveCount(3);
  await expect(entries.nth(0)).toContainText('query');
  await expect(entries.nth(0)).toContainText('nothing');
  await expect(entries.nth(1)).toContainText('version 2');
  await expect(entries.nth(1)).toContainText('3 rows');
  await expect(entries.nth(1)).toContainText(hosts.agent.origin);

  await entries.nth(1).getByRole('button', { name: 'Undo' }).click();
  await expect(entries.nth(1)).toContainText('undone');
  expect(await call(agent, 'query', { sql: 'SELECT sum(n)::INT FROM sales' })).toMatchObject({
    value: { rows: [[3]] },
  });
  // Version 1 is no longer the latest, so that undoing it would take back more than it made.
  await entries.filter({ hasText: 'version 1' }).getByRole('button', { name: 'Undo' }).click();
  await expect(feed.getByRole('alert')).toContainText('has changed since');
});

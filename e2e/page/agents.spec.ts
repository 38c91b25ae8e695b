/** Two tabs with two agents each write at once, and a tab crashes among them: what they were told agrees with the tables. */
import type { Page } from '@playwright/test';
import { crash } from '../support/crash.ts';
import { columnOf, expect, openTab, rowsOf, test } from '../support/harness.ts';

const writes = process.env.STELE_LONG ? 300 : 12;

interface Told {
  appended: number[];
  /** Key to the value of the last acknowledged upsert. */
  upserted: [string, number][];
}

/** An agent appends to a table of all and upserts keys of its own in another. */
function agent(page: Page, id: number, writes: number): Promise<Told> {
  return page.evaluate(
    async ([id, writes]) => {
      const caller = { author: `agent ${id}`, read: true, write: true, share: false, origin: '' };
      const told: { appended: number[]; upserted: Map<string, number> } = { appended: [], upserted: new Map() };
      for (let n = 0; n < writes; ++n) {
        if (n % 3 === 0) {
          const key = `${id}/${n % 4}`;
          const args = { table: 'keyed', rows: [{ key, value: n }], mode: 'upsert', key_columns: ['key'] };
          const { isError, value } = await window.workspace.call('write_table', args, caller);
          if (isError) throw new Error(JSON.stringify(value));
          told.upserted.set(key, n);
        } else {
          const row = id * 100_000 + n;
          const args = { table: 'log', rows: [{ row }], mode: 'append' };
          const { isError, value } = await window.workspace.call('write_table', args, caller);
          if (isError) throw new Error(JSON.stringify(value));
          told.appended.push(row);
        }
      }
      return { appended: told.appended, upserted: [...told.upserted] };
    },
    [id, writes] as const,
  );
}

test('four agents in two tabs write what they were told, through a crash of the tab that leads', async ({
  context,
  host,
}) => {
  const leader = await openTab(context, host);
  const tabs = [await openTab(context, host), await openTab(context, host)];
  const working = [0, 1, 2, 3].map((id) => agent(tabs[id % 2]!, id, writes));
  await expect
    .poll(async () => (await rowsOf(leader, 'SELECT count(*) FROM log').catch(() => [[0]]))[0]![0])
    .not.toBe(0);
  await crash(leader);
  const told = await Promise.all(working);

  const [first] = tabs;
  const log = await columnOf<number>(first!, 'SELECT row FROM log ORDER BY row');
  expect(log).toEqual(told.flatMap(({ appended }) => appended).sort((a, b) => a - b));
  const keyed = await rowsOf(first!, 'SELECT key, value FROM keyed ORDER BY key');
  expect(keyed).toEqual(told.flatMap(({ upserted }) => upserted).sort(([a], [b]) => (a < b ? -1 : 1)));
});

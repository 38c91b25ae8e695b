/** The engine opens when something needs it: its files get random names then, which is how it shows. */
import { expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { type Caller, Core } from '../../wasm/core.ts';
import type { Host } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';

const module = await builtModule('stele');
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: '' };

function opened(): { core: Core; drawn: () => number } {
  let drawn = 0;
  const host: Host = {
    ...nodeHost,
    randomBytes: (into) => {
      ++drawn;
      nodeHost.randomBytes(into);
    },
  };
  const store = new NodeStore(':memory:');
  onTestFinished(() => store.close());
  const home = { ask: () => new Promise<never>(() => {}) };
  return { core: new Core({ module, store, host, home, limits: {}, memoryBytesMax: 1 << 30 }), drawn: () => drawn };
}

test('calls that look into the catalogue alone do without the engine, and a query opens it', async () => {
  const { core, drawn } = opened();
  await core.start();
  expect((await core.call('list_tables', {}, caller)).value).toMatchObject({ tables: [], total: 0 });
  expect((await core.view('workspace', {}, caller)).value).toMatchObject({ tables: 0 });
  expect((await core.call('table_history', { table: 'none' }, caller)).value.error).toBe('unknown_table');
  expect(drawn()).toBe(0);
  expect((await core.call('query', { sql: 'SELECT 42 AS n' }, caller)).value.rows).toEqual([[42]]);
  expect(drawn()).toBeGreaterThan(0);
});

test('an engine that was prepared is not opened again', async () => {
  const { core, drawn } = opened();
  await core.prepare();
  const before = drawn();
  expect(before).toBeGreaterThan(0);
  await core.prepare();
  expect(
    (await core.call('query', { sql: "SELECT timezone('UTC', TIMESTAMPTZ '2026-01-01') AS t" }, caller)).value.rows,
  ).toEqual([['2026-01-01 00:00:00']]);
  expect(drawn()).toBe(before);
});

test('an engine is in UTC as soon as it is open', async () => {
  const { core } = opened();
  const sql = "SELECT strftime(TIMESTAMPTZ '2026-06-01 12:00:00Z', '%H') AS hour";
  expect((await core.call('query', { sql }, caller)).value.rows).toEqual([['12']]);
});

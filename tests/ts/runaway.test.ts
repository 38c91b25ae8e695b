/**
 * Queries that would take all memory or all time, on the real engine with a small heap: each ends with an error that says
 * so, others are served meanwhile, and afterwards the tables are whole and the next call is answered.
 */
import { expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { type Answer, type Caller, Core } from '../../wasm/core.ts';
import { builtModule, nodeHost } from './support/module.ts';

const module = await builtModule('stele');
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: '' };
const memoryBytesMax = 128 << 20;
const quickly = 1500;

async function openWithBirds(query_ms: number): Promise<Core> {
  const store = new NodeStore(':memory:');
  onTestFinished(() => store.close());
  const home = { ask: () => new Promise<never>(() => {}) };
  const limits = { memory_bytes: memoryBytesMax / 2, query_ms };
  const core = new Core({ module, store, host: nodeHost, home, limits, memoryBytesMax });
  const rows = [{ n: 1 }, { n: 2 }];
  expect((await core.call('write_table', { table: 'birds', rows }, caller)).isError).toBe(false);
  return core;
}

const ask = (core: Core, sql: string): Promise<Answer> => core.call('query', { sql }, caller);

test.for([
  ['time_limit', 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b'],
  ['time_limit', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r'],
  ['time_limit', 'SELECT * FROM range(50000000) t(i) ORDER BY hash(i) DESC'],
  ['time_limit', 'SELECT a.i FROM range(100000000) a(i) JOIN range(100000000) b(i) ON a.i = b.i'],
  // One task of the engine's, which it does not look up from.
  ['time_limit', 'SELECT list_sum(list_transform(range(100000), x -> list_sum(range(100000))))'],
  ['time_limit', 'SELECT list_filter(range(100000), x -> list_contains(range(100000), -x - n)) FROM birds'],
  ['out_of_memory', 'SELECT list(i) FROM range(4000000000) t(i)'],
  ['out_of_memory', 'SELECT map(list(i), list(i)) FROM range(100000000) t(i)'],
  ['out_of_memory', "SELECT string_agg(repeat('x', 1000), ',') FROM range(100000000) t(i)"],
  // The heap ends before the engine counts its memory, and the instance is replaced.
  ['out_of_memory', 'SELECT histogram(i) FROM range(100000000) t(i)'],
  ['out_of_memory', "SELECT array_agg(s) FROM (SELECT repeat('z', 100000) AS s FROM range(1000000))"],
  // Each element fits in the 32 bits of a WebAssembly address, the list of them does not.
  ['out_of_memory', 'SELECT list_sum(range(1, n * 1000000000)) FROM birds'],
  ['sql_refused', "SELECT repeat('x', 2000000000) AS s FROM range(64)"],
  ['sql_refused', `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`],
] as const)('%s: %s', async ([kind, sql]) => {
  const core = await openWithBirds(kind === 'time_limit' ? quickly : 30_000);
  const { value, isError } = await ask(core, sql);
  expect({ isError, value }).toMatchObject({ isError: true, value: { error: kind } });
  expect((await ask(core, 'SELECT sum(n) FROM birds')).value.rows).toEqual([['3']]);
});

test('others are answered while one query runs away', async () => {
  const core = await openWithBirds(quickly);
  let ended = false;
  const running = ask(core, 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b').then(() => (ended = true));
  let answered = 0;
  for (; answered < 10; ++answered) {
    const began = performance.now();
    expect((await ask(core, 'SELECT 1')).value.rows).toEqual([[1]]);
    expect(performance.now() - began).toBeLessThan(1000);
  }
  expect(ended).toBe(false);
  await running;
});

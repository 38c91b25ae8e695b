/** A core within the isolate's budget, where its store cannot promise what it was told. */
import { expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { BudgetedCore } from '../../edge/worker/budgeted_core.ts';
import { EngineBudget } from '../../edge/worker/engine_budget.ts';
import type { Caller } from '../../wasm/core.ts';
import { initialBytes } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';

const module = await builtModule('stele');
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: '' };
const memoryBytesMax = 1 << 30;

test('a call whose sync fails is not called done, is logged without a message, and its engine is idle afterwards', async () => {
  const store = new NodeStore(':memory:');
  onTestFinished(() => store.close());
  const lines: string[] = [];
  const budget = new EngineBudget({
    bytesMax: memoryBytesMax,
    startBytes: initialBytes,
    waitMsMax: 1000,
    turnMsMax: 250,
  });
  let fails = true;
  const core = new BudgetedCore(
    {
      module,
      store,
      host: { ...nodeHost, log: (line) => lines.push(line) },
      home: { ask: () => new Promise<never>(() => {}) },
      limits: {},
      memoryBytesMax,
    },
    budget,
    async () => {
      if (fails) throw new RangeError('of a secret cell');
    },
  );
  const write = { table: 't', mode: 'create', rows: [{ n: 1 }] };
  const answer = await core.call('write_table', write, caller);
  expect(answer).toMatchObject({ isError: true, value: { error: 'internal' } });
  expect(answer.value.hint).toContain('table_history');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ event: 'call_failed', kind: 'RangeError' }]);
  expect(lines.join()).not.toContain('secret');
  // An engine that still counted as busy could not be dropped for others.
  expect(budget.mayGrow({ heapBytes: () => 0, drop: () => {} }, memoryBytesMax)).toBe(true);
  expect(core.heapBytes()).toBe(0);

  fails = false;
  expect(await core.call('list_tables', {}, caller)).toMatchObject({ isError: false });
});

/**
 * A sample table for whoever has none yet: invented orders of a coffee house, the same each time, with two versions so that
 * history and differences have something to show.
 */
import type { JsonObject } from '../../wasm/instance.ts';
import type { Tables } from './base/tables.ts';

export const samplePath = 'samples/coffee-orders';

const drinks: [string, number][] = [
  ['espresso', 2.4],
  ['flat white', 3.6],
  ['filter', 2.9],
  ['cortado', 3.1],
  ['chai', 3.8],
];
const counters = ['harbour', 'station', 'old town'];
const orders = 360;
const firstDay = Date.UTC(2026, 0, 5);
const dayMs = 86_400_000;

/** The same sequence each time: Park and Miller's generator. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

export function sampleRows(): JsonObject[] {
  const next = sequence(20_260_105);
  return Array.from({ length: orders }, (_, i) => {
    const [drink, price] = drinks[Math.floor(next() ** 1.6 * drinks.length)]!;
    const cups = 1 + Math.floor(next() ** 3 * 6);
    const day = firstDay + Math.floor((i / orders) * 84) * dayMs;
    return {
      order_id: 1001 + i,
      ordered_on: new Date(day).toISOString().slice(0, 10),
      counter: counters[Math.floor(next() * counters.length)]!,
      drink,
      cups,
      amount: Math.round(cups * price * 100) / 100,
      tip: next() < 0.35 ? null : Math.round(next() * 30) / 10,
      to_go: next() < 0.4,
    };
  });
}

const meanings = {
  order_id: 'Number on the receipt',
  counter: 'Where it was ordered',
  cups: 'Cups in the order',
  amount: 'Paid without tip, in euros',
  tip: 'In euros; null where none was given',
};

export async function loadSample(tables: Tables): Promise<void> {
  const rows = sampleRows();
  await tables.tool('write_table', { table: samplePath, rows, message: 'Sample: twelve weeks of invented orders' });
  await tables.tool('update_table_info', {
    table: samplePath,
    description: 'Invented orders of a coffee house with three counters, to try Stele with.',
    column_descriptions: meanings,
  });
  const corrected = rows.slice(40, 43).map(({ order_id, cups }) => ({ order_id: order_id!, cups: Number(cups) + 1 }));
  await tables.tool('write_table', {
    table: samplePath,
    mode: 'upsert',
    key_columns: ['order_id'],
    rows: corrected,
    message: 'Recounted three orders',
  });
}

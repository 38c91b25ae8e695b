/**
 * workerd killed at random while agents write: whatever was acknowledged is there afterwards, whole, and nothing is half
 * there. STELE_LONG=1 does it 100 times.
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const cuts = process.env.STELE_LONG ? 100 : 5;
const writers = 3;
const rowsPerWrite = 40;

interface Writer {
  table: string;
  /** Of the last write that was answered, and of the one that may or may not have happened. */
  acknowledged: number;
  tried: number;
}

test(`of ${cuts} power cuts none takes what was acknowledged`, { timeout: 60_000 + cuts * 60_000 }, async () => {
  const edge = await LocalEdge.start({ state: temporaryFolder() });
  onTestFinished(() => edge.kill());
  const token = await (await Owner.setUp(edge)).createToken();
  const all: Writer[] = Array.from({ length: writers }, (_, i) => ({
    table: `log/of-${i}`,
    acknowledged: 0,
    tried: 0,
  }));
  let acknowledged = 0;
  for (let cut = 0; cut < cuts; ++cut) {
    const afterCut = new AbortController();
    const writing = all.map((writer) => writeUntilCut(edge, token, writer, afterCut.signal));
    // However slow the machine is, the cut comes amid writes and not before the first one.
    await vi.waitUntil(() => sumOf(all) > acknowledged, { timeout: 60_000, interval: 10 });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000));
    await edge.kill();
    // A client whose stream broke off may wait long for it to go on.
    afterCut.abort();
    await Promise.all(writing);
    await edge.start();
    for (const writer of all) await check(edge, token, writer);
    acknowledged = sumOf(all);
    if ((cut + 1) % 10 === 0 || cut + 1 === cuts)
      console.log(`${cut + 1} cuts, ${acknowledged} writes acknowledged, none lost`);
  }
  expect(acknowledged).toBeGreaterThan(0);
});

const sumOf = (all: Writer[]): number => all.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

/** Appends batches, the n-th of `rowsPerWrite` rows that say n, until the server is gone. */
async function writeUntilCut(edge: LocalEdge, token: string, writer: Writer, afterCut: AbortSignal): Promise<void> {
  try {
    const client = await connect(`${edge.origin}/mcp`, token);
    for (;;) {
      const n = (writer.tried = writer.acknowledged + 1);
      const rows = Array.from({ length: rowsPerWrite }, (_, i) => ({ n, i, text: `row ${i} of write ${n}` }));
      const args = { table: writer.table, mode: n === 1 ? 'create' : 'append', rows };
      await call(client, 'write_table', args, afterCut);
      writer.acknowledged = n;
    }
  } catch (error) {
    // A refusal by a tool is no power cut.
    if (error instanceof Error && error.message.startsWith('write_table:')) throw error;
  }
}

async function check(edge: LocalEdge, token: string, writer: Writer): Promise<void> {
  const client = await connect(`${edge.origin}/mcp`, token);
  const { tables } = (await call(client, 'list_tables', { search: writer.table })) as { tables: { version: number }[] };
  const kept = tables[0]?.version ?? 0;
  expect([writer.acknowledged, writer.tried]).toContain(kept);
  if (kept > 0) {
    const { rows } = await call(client, 'query', {
      sql: `select count(*), count(distinct n), max(n), min(c) from "${writer.table}", (select min(c) c from (select count(*) c from "${writer.table}" group by n))`,
    });
    expect(rows).toEqual([[kept * rowsPerWrite, kept, kept, rowsPerWrite]]);
  }
  // The write that was cut off may have been made; the next one follows on what there is.
  writer.acknowledged = kept;
  await client.close();
}

/** The public copy of a table: the same rows by another core over another store, and nothing but them. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { receiveCopy } from '../../edge/share/receive_copy.ts';
import { describeCopy, heldShare, type ReadChunk, readChunk, sharedTables } from '../../edge/share/table_copy.ts';
import { type Caller, Core } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';

const module = await builtModule('stele');
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: 'https://stele.example' };

class Side {
  store = new NodeStore(':memory:');
  core: Core;

  constructor() {
    const home = { ask: () => new Promise<JsonObject>(() => {}) };
    this.core = new Core({ module, store: this.store, host: nodeHost, home, limits: {}, memoryBytesMax: 256 << 20 });
    onTestFinished(() => this.store.close());
  }

  async call(tool: string, args: JsonObject): Promise<JsonObject> {
    const { value, isError } = await this.core.call(tool, args, caller);
    if (isError) throw new Error(`${tool}: ${JSON.stringify(value)}`);
    return value;
  }

  async rows(sql: string): Promise<unknown> {
    return (await this.call('query', { sql, limit: 500 })).rows;
  }
}

let workspace: Side;
let share: Side;
let token: string;
/** Ids of segments and deletions that travelled with the last copy. */
let travelled: string[];

beforeEach(async () => {
  workspace = new Side();
  share = new Side();
  await workspace.call('write_table', {
    table: 'sales/2025',
    rows: Array.from({ length: 300 }, (_, id) => ({ id, amount: `${id}.50`, note: `note ${id}` })),
    message: 'not for everyone',
  });
  await workspace.call('write_table', { table: 'secret', rows: [{ salary: 1 }] });
  const { url } = await workspace.call('share_table', { table: 'sales/2025' });
  token = String(url).split('/').at(-1)!;
});

async function copy(read: ReadChunk = async (...where) => readChunk(workspace.store, ...where)): Promise<void> {
  const described = describeCopy(workspace.store, token);
  if (!described) throw new Error('nothing is shared');
  await share.core.tools();
  share.core.drop();
  travelled = [];
  await receiveCopy(share.store, structuredClone(described), (of, id, n) => {
    if (n === 0) travelled.push(`${of} ${id}`);
    return read(of, id, n);
  });
}

const upsert = (id: number) =>
  workspace.call('write_table', {
    table: 'sales/2025',
    mode: 'upsert',
    key_columns: ['id'],
    rows: [{ id, amount: '0.00', note: `changed ${id}` }],
  });

const allRows = 'select * from "sales/2025" order by id';

describe('a copy', () => {
  test('has the rows of the latest version, types, order and descriptions included', async () => {
    await upsert(7);
    await workspace.call('update_table_info', {
      table: 'sales/2025',
      description: 'Sales',
      column_descriptions: { amount: 'in euros' },
    });
    await copy();
    const select = 'select * from "sales/2025" limit 500';
    expect(await share.call('query', { sql: select, limit: 500 })).toEqual(
      await workspace.call('query', { sql: select, limit: 500 }),
    );
    expect(await share.call('describe_table', { table: 'sales/2025' })).toMatchObject({
      description: 'Sales',
      version: 2,
      columns: expect.arrayContaining([expect.objectContaining({ name: 'amount', description: 'in euros' })]),
    });
  });

  test('has no other table, no earlier version, and no word of who wrote what why', async () => {
    await upsert(7);
    await copy();
    expect(await share.call('list_tables', {})).toMatchObject({ total: 1 });
    await expect(share.rows('select * from "sales/2025@1"')).rejects.toThrow(/version/);
    const texts = ['tables', 'versions', 'column_lists'].flatMap((table) =>
      share.store.query(`SELECT * FROM ${table}`, []),
    );
    expect(
      JSON.stringify(texts, (_, value) => (typeof value === 'bigint' ? Number(value) : (value as unknown))),
    ).not.toMatch(/not for everyone|tester|secret/);
  });

  test('is found by its token, with version, digest and what is told of it', async () => {
    expect(heldShare(new NodeStore(':memory:'))).toBeUndefined();
    await copy();
    expect(heldShare(share.store)).toMatchObject({
      token,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      facts: { table: 'sales/2025', version: 1, changed_at: expect.stringMatching(/^20\d\d-.*Z$/) },
    });
    expect(await share.core.shared(token)).toEqual({ table: 'sales/2025', version: 1 });
  });

  test('that follows takes what is new along, and drops what nothing refers to any more', async () => {
    await copy();
    expect(travelled).toHaveLength(1);
    await upsert(7);
    await copy();
    expect(travelled.map((what) => what.split(' ')[0]).sort()).toEqual(['deletion', 'segment']);
    expect(await share.rows(allRows)).toEqual(await workspace.rows(allRows));
    await workspace.call('write_table', { table: 'sales/2025', mode: 'replace', rows: [{ id: 1, amount: '2.00' }] });
    await copy();
    expect(await share.rows(allRows)).toEqual(await workspace.rows(allRows));
    expect(share.store.query('SELECT count(*) FROM blobs', [])).toEqual([[1n]]);
    expect(share.store.query('SELECT count(*) FROM deletions', [])).toEqual([[0n]]);
  });

  test('that breaks off leaves the one before whole, and the next one is', async () => {
    await copy();
    await upsert(7);
    const before = heldShare(share.store);
    const broken = copy(async (of, id, n) => {
      if (of === 'deletion') throw new Error('the workspace is gone');
      return readChunk(workspace.store, of, id, n);
    });
    await expect(broken).rejects.toThrow('the workspace is gone');
    expect(heldShare(share.store)).toEqual(before);
    expect(await share.rows('select note from "sales/2025" where id = 7')).toEqual([['note 7']]);
    await copy();
    expect(await share.rows('select note from "sales/2025" where id = 7')).toEqual([['changed 7']]);
    expect(share.store.query('SELECT count(*) FROM chunks WHERE blob NOT IN (SELECT id FROM blobs)', [])).toEqual([
      [0n],
    ]);
  });
});

test('what is shared is known by its tokens, until it is private or in the trash', async () => {
  expect(sharedTables(workspace.store)).toEqual([{ token, table: 'sales/2025', version: 1 }]);
  await workspace.core.makePrivate('sales/2025');
  expect(sharedTables(workspace.store)).toEqual([]);
  expect(describeCopy(workspace.store, token)).toBeUndefined();
  await workspace.call('share_table', { table: 'sales/2025' });
  expect(sharedTables(workspace.store)).toHaveLength(1);
  await workspace.call('delete_table', { table: 'sales/2025' });
  expect(sharedTables(workspace.store)).toEqual([]);
});

/** What a party may do with real tables: which scope is asked for when, what is asked each time, what can be undone. */
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { deskHome } from '../../../edge/desk/desk_home.ts';
import { WatchedCore } from '../../../edge/desk/watched_core.ts';
import type { Answer, Caller } from '../../../wasm/core.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import { argsInShort } from '../../../web/mcp/activity.ts';
import { GatedTools, type House } from '../../../web/mcp/gated_tools.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { agent, houseOf, personWho } from './support.ts';

const folder = temporaryFolder(afterAll);
const core = new WatchedCore({
  file: join(folder, 'store.sqlite'),
  home: deskHome({ keyFile: join(folder, 'key'), allowPrivate: false }),
});
afterAll(() => core.close());

const nobody: Caller = { author: 'tester', read: false, write: false, share: false, origin: '' };
const person: Caller = { author: 'me', read: true, write: true, share: true, origin: '' };

let house: House;
let tools: GatedTools;
let table: string;
let count = 0;

beforeEach(() => {
  house = houseOf(core);
  tools = new GatedTools(house, agent);
  table = `t${++count}`;
});

const call = (tool: string, args: JsonObject): Promise<Answer> => tools.call(tool, args, nobody);
const write = (): Promise<Answer> => call('write_table', { table, rows: [{ a: 1 }, { a: 2 }] });

describe('scopes', () => {
  test('are asked for when a call needs one, and the call goes on', async () => {
    house.grants.decide(agent, { read: 'allowed' });
    const { asked } = personWho(house.consent, { answer: 'allow', also: [] });
    expect((await call('list_tables', {})).isError).toBe(false);
    expect(asked).toEqual([]);
    expect(await write()).toMatchObject({ isError: false, value: { version: 1 } });
    const receipt = await call('query', { sql: `SELECT count(*) FROM "${table}"`, receipt: true });
    expect(receipt).toMatchObject({ isError: false, value: { rows: [[2]] } });
    expect(asked).toEqual(['access write', 'access share']);
  });

  test('that are refused end the call with nothing done', async () => {
    house.grants.decide(agent, { read: 'allowed' });
    const { asked } = personWho(house.consent, { answer: 'refuse' });
    for (let i = 0; i < 2; ++i) {
      expect(await write()).toMatchObject({
        isError: true,
        value: { error: 'forbidden', hint: expect.stringContaining('Agents') },
      });
    }
    expect(asked).toEqual(['access write']);
    const described = await core.call('describe_table', { table }, person);
    expect(described.value.error).toBe('unknown_table');
  });

  test('cannot be claimed by the client', async () => {
    house.grants.decide(agent, { read: 'allowed', write: 'refused' });
    const answer = await tools.call('write_table', { table, rows: [{ a: 1 }] }, { ...nobody, write: true });
    expect(answer.value.error).toBe('forbidden');
  });
});

describe('a tool marked destructive', () => {
  beforeEach(async () => {
    house.grants.decide(agent, { read: 'allowed', write: 'allowed', share: 'allowed' });
    await write();
  });

  test('asks each time, whatever was allowed', async () => {
    const { asked } = personWho(house.consent, { answer: 'allow', also: [] });
    expect((await call('delete_table', { table })).isError).toBe(false);
    await core.call('restore_version', { table, version: 1 }, person);
    expect((await call('delete_table', { table })).isError).toBe(false);
    expect(asked).toEqual(['once delete_table', 'once delete_table']);
  });

  test('does nothing when the person says no', async () => {
    personWho(house.consent, { answer: 'refuse' });
    expect(await call('delete_table', { table })).toMatchObject({ isError: true, value: { error: 'refused' } });
    expect((await core.call('describe_table', { table }, person)).isError).toBe(false);
  });
});

describe('undo', () => {
  beforeEach(() => house.grants.decide(agent, { read: 'allowed', write: 'allowed', share: 'allowed' }));

  async function undo(): Promise<Answer> {
    const { undo } = house.activity.entries[0]!;
    return undo!.run(core, person);
  }
  const rows = async (): Promise<unknown> => (await core.call('query', { sql: `FROM "${table}"` }, person)).value.rows;

  test('of a first version moves the table to the trash', async () => {
    await write();
    expect(await undo()).toMatchObject({ isError: false });
    expect((await core.call('describe_table', { table }, person)).value.error).toBe('unknown_table');
  });

  test('of a later version restores the one before', async () => {
    await write();
    await call('write_table', { table, rows: [{ a: 9 }], mode: 'replace' });
    expect(await rows()).toEqual([[9]]);
    expect(await undo()).toMatchObject({ isError: false, value: { version: 3 } });
    expect(await rows()).toEqual([[1], [2]]);
  });

  test('of a restore restores again what it replaced', async () => {
    await write();
    await call('write_table', { table, rows: [{ a: 9 }], mode: 'replace' });
    await call('restore_version', { table, version: 1 });
    expect(await undo()).toMatchObject({ isError: false });
    expect(await rows()).toEqual([[9]]);
  });

  test('of a saved query moves its table to the trash', async () => {
    await call('query', { sql: 'SELECT 1 AS a', save_as: table });
    expect(await undo()).toMatchObject({ isError: false, value: { table } });
  });

  test('of a deletion brings the table back', async () => {
    await write();
    personWho(house.consent, { answer: 'allow', also: [] });
    await call('delete_table', { table });
    expect(await undo()).toMatchObject({ isError: false });
    expect(await rows()).toEqual([[1], [2]]);
  });

  test('of a share ends it', async () => {
    await write();
    const { value } = await call('share_table', { table });
    const token = String(value.url).split('/').at(-1)!;
    expect(await core.shared(token)).toMatchObject({ table });
    await undo();
    expect(await core.shared(token)).toBeNull();
  });

  test('of a new name gives the old one back', async () => {
    await write();
    await call('update_table_info', { table, rename_to: `${table}/new` });
    expect(await undo()).toMatchObject({ isError: false, value: { table } });
  });

  test.each([1, 2])('refuses when another wrote after version %d', async (version) => {
    await write();
    if (version === 2) await call('write_table', { table, rows: [{ a: 3 }], mode: 'append' });
    await core.call('write_table', { table, rows: [{ a: 4 }], mode: 'append' }, person);
    expect(await undo()).toMatchObject({ isError: true, value: { error: 'version_conflict' } });
    expect(await rows()).toContainEqual([4]);
  });

  test.each([
    ['list_tables', {}],
    ['query', { sql: 'SELECT 1' }],
    ['write_table', { table: '', rows: [] }],
  ])('is not offered where there is nothing to undo: %s', async (tool, args) => {
    await call(tool, args);
    expect(house.activity.entries[0]!.undo).toBeUndefined();
  });
});

test('arguments are shown in short', () => {
  const args = { table: 't', sql: 'x'.repeat(500), rows: [1, 2, 3, 4], keys: ['a'], receipt: true };
  expect(argsInShort(args)).toBe(`table: t, sql: ${'x'.repeat(119)}…, rows: 4 items, keys: ["a"], receipt: true`);
});

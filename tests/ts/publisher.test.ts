/** Public copies follow their tables, each published once per change, and end whatever else fails. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { Gate } from '../../edge/share/gate.ts';
import { Publisher } from '../../edge/share/publisher.ts';
import type { TableCopy } from '../../edge/share/table_copy.ts';
import { type Caller, Core } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';

const module = await builtModule('stele');
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: 'https://stele.example' };

let store: NodeStore;
let core: Core;
let kept: Record<string, string>;
/** What happened to copies, in order; a copy that is told to fail does so before anything else. */
let events: string[];
let fails: boolean;
let sqlAllowed: boolean;

beforeEach(() => {
  store = new NodeStore(':memory:');
  onTestFinished(() => store.close());
  const home = { ask: () => new Promise<JsonObject>(() => {}) };
  core = new Core({ module, store, host: nodeHost, home, limits: {}, memoryBytesMax: 256 << 20 });
  [kept, events, fails, sqlAllowed] = [{}, [], false, false];
});

/** As an object makes it when it comes to life: what it knows is what was kept. */
function publisher(): Publisher {
  const list = { read: () => kept, write: (published: Record<string, string>) => void (kept = published) };
  const event = async (what: string) => {
    if (fails) throw new Error('unreachable');
    events.push(what);
  };
  return new Publisher({
    store,
    published: list,
    allowsSql: () => sqlAllowed,
    copyAt: () => ({
      publish: ({ table, version, allowsSql }: TableCopy) =>
        event(`publish ${table.path} ${version.version}${allowsSql ? ' with SQL' : ''}`),
      end: () => event('end'),
    }),
  });
}

async function call(tool: string, args: JsonObject): Promise<JsonObject> {
  const { value, isError } = await core.call(tool, args, caller);
  if (isError) throw new Error(JSON.stringify(value));
  return value;
}

const write = (table: string, mode = 'create') => call('write_table', { table, mode, rows: [{ a: 1 }] });

describe('a publisher', () => {
  test('publishes what is shared when it changed, and only then', async () => {
    await write('a');
    await write('b');
    await publisher().sync();
    expect(events).toEqual([]);
    await call('share_table', { table: 'a' });
    await publisher().sync();
    await publisher().sync();
    await write('b', 'append');
    await publisher().sync();
    await write('a', 'append');
    await publisher().sync();
    await call('update_table_info', { table: 'a', rename_to: 'c' });
    await publisher().sync();
    sqlAllowed = true;
    await publisher().sync();
    await publisher().sync();
    expect(events).toEqual(['publish a 1', 'publish a 2', 'publish c 2', 'publish c 2 with SQL']);
  });

  test('tries again what failed', async () => {
    await write('a');
    await call('share_table', { table: 'a' });
    fails = true;
    await expect(publisher().sync()).rejects.toThrow('unreachable');
    fails = false;
    await publisher().sync();
    expect(events).toEqual(['publish a 1']);
  });

  test('ends the copy of a table that is no longer shared, also where publishing had failed', async () => {
    await write('a');
    await call('share_table', { table: 'a' });
    fails = true;
    await expect(publisher().sync()).rejects.toThrow();
    await call('delete_table', { table: 'a' });
    await expect(publisher().sync()).rejects.toThrow();
    fails = false;
    await publisher().sync();
    await publisher().sync();
    expect(events).toEqual(['end']);
  });

  test('ends a copy once, before its table forgets it', async () => {
    await write('a');
    const { url } = await call('share_table', { table: 'a' });
    const one = publisher();
    await one.sync();
    await one.end(String(url).split('/').at(-1)!);
    await core.makePrivate('a');
    await one.sync();
    expect(events).toEqual(['publish a 1', 'end']);
  });
});

test('a gate lets a change in when the reads before it are over, and the reads after it when it is', async () => {
  const gate = new Gate();
  const order: string[] = [];
  const step = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    order.push(`${name} ends`);
    if (name === 'failing read') throw new Error(name);
  };
  const failing = gate.read(step('failing read')).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve));
  await Promise.all([failing, gate.change(step('change')), gate.read(step('read'))]);
  expect(order).toEqual(['failing read', 'change', 'read'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

/** The isolate's memory, shared by its workspaces: engines come and go, and none takes more than there is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const budgetBytes = 90 << 20;
// Some seconds of work in many slices.
const busySql =
  'select count(*) from (select a.range % 1000 as k, sum(a.range * b.range) from range(1000000) a, range(40) b group by 1)';
const state = temporaryFolder(afterAll);
let edge: LocalEdge;
let owner: Owner;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
});
afterAll(() => edge.kill());

const lastCall = () =>
  edge.log.filter(({ event }) => event === 'call').at(-1) as {
    engines: number;
    used_bytes: number;
    peak_bytes: number;
  };

test('of seven workspaces used in turn as many engines stay as there is room for, and all keep their rows', async () => {
  const clients = [];
  for (let i = 0; i < 7; ++i) {
    await owner.createWorkspace(`turn-${i}`);
    const client = await connect(`${edge.origin}/mcp`, await owner.createToken({ workspace: `turn-${i}` }));
    await call(client, 'write_table', { table: 'mine', rows: [{ i }] });
    clients.push(client);
  }
  expect(lastCall().engines).toBe(5);
  for (const [i, client] of clients.entries())
    expect(await call(client, 'query', { sql: 'select i from mine' })).toMatchObject({ rows: [[i]] });
  expect(lastCall().peak_bytes).toBeLessThanOrEqual(budgetBytes);
  await Promise.all(clients.map((client) => client.close()));
});

test('a query that needs more than there is refused with a hint, and the workspace goes on with all it had', async () => {
  const client = await connect(`${edge.origin}/mcp`, await owner.createToken());
  await call(client, 'write_table', { table: 'kept', rows: [{ a: 1 }] });
  const { structuredContent, isError } = await client.callTool({
    name: 'query',
    arguments: { sql: "select length(string_agg(md5(range::varchar), '')) from range(6000000)" },
  });
  expect(structuredContent).toMatchObject({ error: 'out_of_memory', hint: expect.stringMatching(/earlier/) });
  expect(isError).toBe(true);
  expect(await call(client, 'query', { sql: 'select a from kept' })).toMatchObject({ rows: [[1]] });
  expect(lastCall().peak_bytes).toBeLessThanOrEqual(budgetBytes);
  await client.close();
});

test('what takes the memory that another workspace works with is refused with memory_limit, and the other goes on', async () => {
  const [big, other] = await Promise.all([
    connect(`${edge.origin}/mcp`, await owner.createToken({ workspace: 'turn-0' })),
    connect(`${edge.origin}/mcp`, await owner.createToken({ workspace: 'turn-1' })),
  ]);
  const working = call(other, 'query', { sql: busySql });
  const rows = Array.from({ length: 31 }, (_, i) => ({ i, text: String(i).repeat(1 << 19) }));
  const { structuredContent } = await big.callTool({ name: 'write_table', arguments: { table: 'big', rows } });
  expect(structuredContent).toMatchObject({ error: 'memory_limit', hint: expect.any(String) });
  expect(await working).toMatchObject({ rows: [[1000]] });
  expect(await call(big, 'list_tables', {})).toMatchObject({ total: 1 });
  expect(lastCall().peak_bytes).toBeLessThanOrEqual(budgetBytes);
  await Promise.all([big.close(), other.close()]);
});

/** What an agent with a personal token gets from the edge, in both eras of MCP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect, eras } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const state = temporaryFolder(afterAll);
let edge: LocalEdge;
let token: string;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  token = await (await Owner.setUp(edge)).createToken();
});
afterAll(() => edge.kill());

describe.each(eras)('an agent of $era', ({ era, mode }) => {
  test('makes a table and queries it', async () => {
    const client = await connect(`${edge.origin}/mcp`, token, mode);
    const table = `notes/of-${era}`;
    await call(client, 'write_table', { table, rows: [{ a: 1, b: 'x' }] });
    const { rows } = await call(client, 'query', { sql: `select a, b from "${table}"` });
    expect(rows).toEqual([[1, 'x']]);
    await client.close();
  });
});

/**
 * The cases of tests/cases/checks on a real edge, by the official client: a test for each lettered check. Each case has a
 * workspace of its own, and its files come from a server.
 */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseBytes, playSteps } from '../../tests/ts/support/steps.ts';
import { casesWithinLimits } from '../../tests/ts/support/cases.ts';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import type { ToolDefinition } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { type CaseWeb, serveCase } from './support/case_web.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const timeout = 180_000;
const state = temporaryFolder(afterAll);
let edge: LocalEdge;
let owner: Owner;

beforeAll(async () => {
  edge = await LocalEdge.start({ state, allowPrivate: true });
  owner = await Owner.setUp(edge);
});
afterAll(() => edge.kill());

/** An agent in a workspace of its own. */
async function clientOf(workspace: string): Promise<Client> {
  await owner.createWorkspace(workspace);
  return connect(`${edge.origin}/w/${workspace}/mcp`, await owner.createToken({ workspace }));
}

/** What a tool answers; the text, which some clients show alone, must say the same. */
async function answerOf(client: Client, name: string, args: JsonObject) {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args }, { timeout });
  const value = structuredContent as JsonObject;
  expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual(value);
  return { value, isError: isError ?? false };
}

// What does not fit an isolate has a test of its own below.
const fitting = casesWithinLimits.filter(({ case: title }) => !title.startsWith('23 '));

describe.each(fitting.map((one, i) => ({ ...one, workspace: `case-${i}` })))(
  'case $case',
  ({ workspace, files = {}, checks }) => {
    let client: Client;
    let web: CaseWeb;
    beforeAll(async () => {
      client = await clientOf(workspace);
      web = await serveCase(files);
    });
    afterAll(async () => {
      await client.close();
      await web.close();
    });
    const answering = {
      tools: () => client.listTools() as unknown as Promise<{ tools: ToolDefinition[] }>,
      call: (tool: string, args: JsonObject) => answerOf(client, tool, web.localized(args)),
    };
    test.each(checks)('$check: $holds', { timeout }, async ({ steps }) => {
      expect(await playSteps(answering, steps)).toEqual([]);
    });
  },
);

const rowsOf = async (client: Client, sql: string) => (await call(client, 'query', { sql })).rows;

test('case 20 c: a bomb of 20 MB is unpacked within the edge’s limits', { timeout }, async () => {
  const client = await clientOf('bomb');
  const source = 'https://files.example/20e.csv.gz';
  const web = await serveCase({ [source]: { case: '20e-bomb-20MB.csv.gz' } });
  const args = web.localized({ table: 'bomb', source_url: source });
  expect(await call(client, 'import_table', args)).toMatchObject({ rows: 5_000_000 });
  expect(await rowsOf(client, 'SELECT count(*) AS n FROM bomb')).toEqual([[5_000_000]]);
  const peak = edge.log.findLast(({ tool }) => tool === 'import_table')?.peak_bytes;
  expect(peak).toBeLessThanOrEqual(96 << 20);
  await client.close();
  await web.close();
});

test(
  'case 23 a: 10,000 columns are refused with the limit, and as many as it allows are a table',
  { timeout },
  async () => {
    const client = await clientOf('wide');
    const [tooWide, widest] = ['https://files.example/wide.csv', 'https://files.example/widest.csv'];
    const names = Array.from({ length: 500 }, (_, i) => `c${i}`).join();
    const web = await serveCase({
      [tooWide]: { case: '23-wide-10000.csv' },
      [widest]: { text: `${names}\n${names}\n` },
    });
    const refused = await answerOf(client, 'import_table', web.localized({ table: 'w', source_url: tooWide }));
    expect(refused.value).toMatchObject({
      error: 'too_many_columns',
      message: expect.stringContaining('more than 500 cells') as string,
    });
    expect(await call(client, 'list_tables', {})).toMatchObject({ total: 0 });
    await call(client, 'import_table', web.localized({ table: 'w', source_url: widest, header: true }));
    expect(await rowsOf(client, 'SELECT c0, c499 FROM w')).toEqual([['c0', 'c499']]);
    await client.close();
    await web.close();
  },
);

describe('case 42: a runaway query', () => {
  const statements = caseBytes('42-runaway.sql').toString().trim().split('\n').slice(1);
  let client: Client;
  let other: Client;
  beforeAll(async () => {
    client = await clientOf('runaway');
    other = await connect(`${edge.origin}/w/runaway/mcp`, await owner.createToken({ workspace: 'runaway' }));
  });
  afterAll(() => Promise.all([client.close(), other.close()]));

  test.each(statements.slice(0, 4))('a: %s ends with the limit named', { timeout }, async (sql) => {
    const { value, isError } = await answerOf(client, 'query', { sql });
    expect(isError).toBe(true);
    expect(['time_limit', 'out_of_memory', 'memory_limit', 'sql_refused']).toContain(value.error);
    expect(await rowsOf(client, 'SELECT 1')).toEqual([[1]]);
  });

  test('a: 20,000 brackets are refused', { timeout }, async () => {
    const sql = caseBytes('42b-deep-nesting.sql').toString().split('\n').slice(1).join('\n');
    expect((await answerOf(client, 'query', { sql })).value.error).toBe('sql_refused');
  });

  test('b: lets others be answered within a second', { timeout }, async () => {
    await rowsOf(other, 'SELECT 1');
    const running = answerOf(client, 'query', { sql: statements[0]! });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    expect(await rowsOf(other, 'SELECT 1')).toEqual([[1]]);
    expect(performance.now() - began).toBeLessThan(1000);
    expect((await running).isError).toBe(true);
  });

  test('c: of 200 million rows gives the first with the mark of a cut', { timeout }, async () => {
    const answer = await call(client, 'query', { sql: statements[4]!, limit: 3 });
    expect(answer).toMatchObject({ rows: [[0], [1], [2]], truncated: true });
  });
});

test('case 50 c: a share link shows its table and no other', { timeout }, async () => {
  const client = await clientOf('shares');
  await call(client, 'write_table', { table: 's', rows: [{ a: 1 }, { a: 2 }] });
  await call(client, 'write_table', { table: 'secret', rows: [{ b: 'hidden' }] });
  const link = String((await call(client, 'share_table', { table: 's' })).url);
  for (const path of ['', '/rows', '/rows?sql=SELECT%20*%20FROM%20secret', '/rows?table=secret']) {
    const response = await fetch(link + path);
    expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/);
    expect(await response.text(), path).not.toMatch(/secret|hidden/);
  }
  await client.close();
});

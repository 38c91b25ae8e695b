/** The checks of the cases that take a home: the desk's downloads, its pages, its clients, its process. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { help } from '../../edge/desk/commands/help.ts';
import { formatRows } from '../../edge/desk/commands/output.ts';
import { deskHome } from '../../edge/desk/desk_home.ts';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { deskCaller, startServer } from '../../edge/desk/server.ts';
import { type Answer, Core } from '../../wasm/core.ts';
import type { JsonObject, Limits } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';
import { temporaryFolder } from './support/temporary.ts';

const module = await builtModule('stele');
const caseFile = (name: string) => readFileSync(new URL(`../cases/${name}`, import.meta.url));
const timeout = 60_000;

interface Desk {
  origin: string;
  core: Core;
  call(tool: string, args: JsonObject): Promise<Answer>;
}

/** A desk on a store of its own, at an address of its own. */
async function openDesk({ allowPrivate = true, limits = {} as Limits } = {}): Promise<Desk> {
  const folder = temporaryFolder();
  const store = new NodeStore(':memory:');
  const home = deskHome({ keyFile: join(folder, 'key'), allowPrivate });
  const core = new Core({ module, store, host: nodeHost, limits, memoryBytesMax: 256 << 20, home });
  const server = await startServer({ core, storeFile: join(folder, 'store'), port: 0, onError: () => {} });
  onTestFinished(async () => {
    await server.close();
    core.drop();
    store.close();
  });
  const caller = deskCaller('cases', server.origin);
  return { origin: server.origin, core, call: (tool, args) => core.call(tool, args, caller) };
}

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<{ url: string; connections(): number }> {
  let connections = 0;
  const server = createServer(listener);
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

async function succeeded(answer: Promise<Answer>): Promise<JsonObject> {
  const { value, isError } = await answer;
  expect({ isError, value }).toMatchObject({ isError: false });
  return value;
}

const rowsOf = async (desk: Desk, sql: string) => (await succeeded(desk.call('query', { sql }))).rows;

test('case 20 a: a body with Content-Encoding gzip is unpacked once', { timeout }, async () => {
  const desk = await openDesk();
  const { url } = await serve((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'gzip' })
      .end(caseFile('20a-plain.csv.gz')),
  );
  expect(await succeeded(desk.call('import_table', { table: 't', source_url: url }))).toMatchObject({ rows: 3 });
  expect(await rowsOf(desk, 'SELECT sum(v)::BIGINT AS s FROM t')).toEqual([[60]]);
});

test('case 24 b: the desk’s CSV is raw, and says so', { timeout }, async () => {
  const rows = JSON.parse(caseFile('24-export-rows.json').toString()) as { label: string }[];
  const shown = { columns: [{ name: 'label', type: 'VARCHAR' }], rows: rows.slice(0, 3).map(({ label }) => [label]) };
  expect(formatRows(shown, 'csv')).toBe('label\r\n=1+2\r\n@SUM(A1)\r\n+3 apples\r\n');
  expect(help('query')).toMatch(/csv is raw[^.]*\bformula\b/);
});

test('case 24 d: rows as CSV are quoted, and importing them gives the same labels', { timeout }, async () => {
  const desk = await openDesk();
  const rows = JSON.parse(caseFile('24-export-rows.json').toString()) as JsonObject[];
  await succeeded(desk.call('write_table', { table: 't', rows: rows as never }));
  const answer = await succeeded(desk.call('query', { sql: 'SELECT label, delta FROM t' }));
  const csv = formatRows(answer as never, 'csv');
  expect(csv).toContain('"O\'Hara, ""Q""\nnext"');
  const { url } = await serve((_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(csv));
  expect(await succeeded(desk.call('import_table', { table: 'back', source_url: url }))).toMatchObject({ rows: 8 });
  expect(await rowsOf(desk, 'SELECT label, delta FROM back')).toEqual(answer.rows);
});

describe('in any time zone of the process', () => {
  const run = promisify(execFile);
  const probe = fileURLToPath(new URL('support/zone_probe.ts', import.meta.url));
  const answersIn = async (zone: string) =>
    (await run(process.execPath, [probe], { env: { ...process.env, TZ: zone } })).stdout;

  test('case 35 e, case 54 a: dates, times and instants are the same', { timeout: 120_000 }, async () => {
    const inUtc = await answersIn('UTC');
    expect(JSON.parse(inUtc)).toMatchObject({ failures: [] });
    for (const zone of ['Asia/Seoul', 'America/Sao_Paulo', 'Europe/London']) expect(await answersIn(zone)).toBe(inUtc);
  });
});

test('case 39 c: no statement opens a connection', { timeout }, async () => {
  const desk = await openDesk();
  const listening = await serve((_request, response) => response.end('planted\n'));
  const statements = [
    `SELECT * FROM '${listening.url}/x.csv'`,
    `SELECT * FROM read_csv('${listening.url}/x.csv')`,
    `SELECT * FROM read_parquet('${listening.url}/x.parquet')`,
    "SELECT * FROM sqlite_scan('/tmp/x.db', 't')",
    'INSTALL httpfs',
    'LOAD httpfs',
  ];
  for (const sql of statements) expect((await desk.call('query', { sql })).isError, sql).toBe(true);
  expect(listening.connections()).toBe(0);
});

describe('case 42: a runaway query', () => {
  const limits = { memory_bytes: 128 << 20, query_ms: 2000 };
  const statements = caseFile('42-runaway.sql').toString().trim().split('\n').slice(1);

  test.each(statements.slice(0, 4))('a: %s ends with the limit named', { timeout }, async (sql) => {
    const desk = await openDesk({ limits });
    const { value, isError } = await desk.call('query', { sql });
    expect(isError).toBe(true);
    expect(['time_limit', 'out_of_memory', 'sql_refused']).toContain(value.error);
    expect(await rowsOf(desk, 'SELECT 1')).toEqual([[1]]);
  });

  test('a: 20,000 brackets are refused', { timeout }, async () => {
    const desk = await openDesk({ limits });
    const sql = caseFile('42b-deep-nesting.sql').toString().split('\n').slice(1).join('\n');
    expect((await desk.call('query', { sql })).value.error).toBe('sql_refused');
    expect(await rowsOf(desk, 'SELECT 1')).toEqual([[1]]);
  });

  test('b: lets others be answered within a second', { timeout }, async () => {
    const desk = await openDesk({ limits });
    await rowsOf(desk, 'SELECT 1');
    const running = desk.call('query', { sql: statements[0]! });
    const began = performance.now();
    expect(await rowsOf(desk, 'SELECT 1')).toEqual([[1]]);
    expect(performance.now() - began).toBeLessThan(1000);
    expect((await running).isError).toBe(true);
  });

  test('c: of 200 million rows gives the first with the mark of a cut', { timeout }, async () => {
    const desk = await openDesk({ limits });
    const answer = await succeeded(desk.call('query', { sql: statements[4]!, limit: 3 }));
    expect(answer).toMatchObject({ rows: [[0], [1], [2]], truncated: true });
  });
});

test('case 47 c: every tool that writes tells how to retry', { timeout }, async () => {
  const { tools } = await (await openDesk()).core.tools();
  const writing = tools.filter(
    ({ inputSchema }) => 'idempotency_key' in (inputSchema as { properties: object }).properties,
  );
  expect(writing.map(({ name }) => name)).toEqual(['query', 'write_table', 'import_table', 'restore_version']);
  for (const { name, description } of writing) expect(description, name).toContain('same idempotency_key');
});

describe('case 50: a share link', () => {
  async function shared() {
    const desk = await openDesk();
    await succeeded(desk.call('write_table', { table: 's', rows: [{ a: 1 }, { a: 2 }] }));
    await succeeded(desk.call('write_table', { table: 'secret', rows: [{ b: 'hidden' }] }));
    const { url } = await succeeded(desk.call('share_table', { table: 's' }));
    return { desk, link: String(url) };
  }

  test('a: is dead at once after unsharing, and was kept by no cache', { timeout }, async () => {
    const { desk, link } = await shared();
    for (const path of ['', '/rows']) {
      const response = await fetch(link + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/);
    }
    await desk.core.makePrivate('s');
    for (const path of ['', '/rows', '/rows?offset=0', '/rows?version=1', '/rows.csv', '.json'])
      expect((await fetch(link + path)).status, path).toBe(404);
  });

  test('b: stays dead when the table is shared again', { timeout }, async () => {
    const { desk, link } = await shared();
    await desk.core.makePrivate('s');
    const again = String((await succeeded(desk.call('share_table', { table: 's' }))).url);
    expect(again).not.toBe(link);
    expect((await fetch(link)).status).toBe(404);
    expect((await fetch(again)).status).toBe(200);
  });

  test('c: shows its table and no other', { timeout }, async () => {
    const { link } = await shared();
    for (const path of ['', '/rows', '/rows?sql=SELECT%20*%20FROM%20secret', '/rows?table=secret']) {
      const text = await (await fetch(link + path)).text();
      expect(text, path).not.toMatch(/secret|hidden/);
    }
  });
});

describe('case 51: an import URL that points inside', () => {
  const urls = caseFile('51-urls.txt').toString().trim().split('\n');

  test('a: is refused before any connection, by both tools that take one', { timeout }, async () => {
    const desk = await openDesk({ allowPrivate: false });
    const listeners = [
      await serve((_request, response) => response.end('v\n1\n')),
      await serve((_request, response) => response.end('v\n1\n'), '::1'),
    ];
    for (const source_url of [...urls, ...listeners.map(({ url }) => `${url}/x.csv`)]) {
      const answers = [
        await desk.call('import_table', { table: 't', source_url }),
        await desk.call('inspect_file', { source_url }),
      ];
      for (const { value, isError } of answers)
        expect({ isError, error: value.error }, source_url).toEqual({ isError: true, error: 'url_refused' });
    }
    expect(listeners.map(({ connections }) => connections())).toEqual([0, 0]);
    expect(await succeeded(desk.call('list_tables', {}))).toMatchObject({ total: 0 });
  });

  test('c: tells open from closed ports by no word', { timeout }, async () => {
    const desk = await openDesk({ allowPrivate: false });
    const open = await serve((_request, response) => response.end('v\n1\n'));
    const [fromOpen, fromClosed] = await Promise.all(
      [open.url, 'http://127.0.0.1:1'].map((source_url) => desk.call('inspect_file', { source_url })),
    );
    expect(fromOpen!.value).toEqual(fromClosed!.value);
  });
});

describe('case 53: an MCP client', () => {
  test('a: finds every tool with schemas that no client refuses', { timeout }, async () => {
    const desk = await openDesk();
    const client = new Client({ name: 'cases', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${desk.origin}/mcp`)));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools).toHaveLength(11);
    for (const { name, inputSchema, outputSchema } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(inputSchema, name).toMatchObject({ type: 'object', properties: expect.any(Object) as object });
      expect(outputSchema, name).toMatchObject({ type: 'object' });
      expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/"(oneOf|anyOf|allOf|not|if|\$ref)":|"type":\[/);
    }
  });

  test(
    'b: gets answers that match the schema, with NULL, dates, big integers, no rows and errors',
    { timeout },
    async () => {
      const desk = await openDesk();
      const client = new Client({ name: 'cases', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${desk.origin}/mcp`)));
      const { outputSchema } = (await client.listTools()).tools.find(({ name }) => name === 'query')!;
      const validate = new Ajv2020({ strict: false }).compile(outputSchema as object);
      for (const sql of [
        "SELECT NULL AS a, DATE '2025-04-03' AS d, 9007199254740993 AS b",
        'SELECT 1 AS a WHERE false',
      ]) {
        const { structuredContent, content } = await client.callTool({ name: 'query', arguments: { sql } });
        expect(validate(structuredContent), sql).toBe(true);
        for (const block of content as object[]) expect(Object.values(block)).not.toContain(null);
      }
      expect(await client.callTool({ name: 'query', arguments: { sql: 'SELEC' } })).toMatchObject({ isError: true });
      await client.close();
    },
  );
});

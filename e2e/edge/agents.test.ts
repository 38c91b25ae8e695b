/** What an agent with a personal token gets from the edge, in both eras of MCP. */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect, eras } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const state = temporaryFolder(afterAll);
const hostileUrls = readFileSync(new URL('../../tests/cases/51-urls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
// Work in many slices, for far longer than it takes until a client that left is missed.
const slowSql = 'select a.range % 1000 as k, sum(a.range * b.range) from range(3000000) a, range(180) b group by 1';
let edge: LocalEdge;
let token: string;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  token = await (await Owner.setUp(edge)).createToken();
});
afterAll(() => edge.kill());

const connected = (mode?: (typeof eras)[number]['mode']) => connect(`${edge.origin}/mcp`, token, mode);
const outcomes = () => edge.log.filter(({ event }) => event === 'call').map(({ outcome }) => outcome);

describe.each(eras)('an agent of $era', ({ era, mode }) => {
  test('makes a table and queries it, with links into its workspace', async () => {
    const client = await connected(mode);
    const table = `notes/of-${era}`;
    await call(client, 'write_table', { table, rows: [{ a: 1, b: 'x' }] });
    const { rows, receipt } = await call(client, 'query', { sql: `select a, b from "${table}"`, receipt: true });
    expect(rows).toEqual([[1, 'x']]);
    expect(JSON.stringify(receipt)).toContain(`${edge.origin}/w/main/r#`);
    await client.close();
  });

  test('hears progress of a long query, can cancel it, and others are served meanwhile', async () => {
    const client = await connected(mode);
    const other = await connected(mode);
    const cancelling = new AbortController();
    const before = outcomes().filter((outcome) => outcome === 'cancelled').length;
    const served = vi.fn();
    const calling = client.callTool(
      { name: 'query', arguments: { sql: slowSql } },
      {
        signal: cancelling.signal,
        timeout: 120_000,
        onprogress: () => {
          if (served.mock.calls.length > 0) return;
          served();
          void call(other, 'list_tables', {}).then(() => cancelling.abort());
        },
      },
    );
    await expect(calling).rejects.toThrow();
    expect(served).toHaveBeenCalled();
    await vi.waitFor(
      () => expect(outcomes().filter((outcome) => outcome === 'cancelled').length).toBe(before + 1),
      30_000,
    );
    await Promise.all([client.close(), other.close()]);
  });

  test('goes on when its server was killed and came again', async () => {
    const client = await connected(mode);
    const table = `notes/before-${era}`;
    await call(client, 'write_table', { table, rows: [{ a: 1 }] });
    await edge.kill();
    await edge.start();
    expect(await call(client, 'query', { sql: `select a from "${table}"` })).toMatchObject({ rows: [[1]] });
    await client.close();
  });
});

/** Asks with a body of that many bytes and sends none of them. */
function announced(url: string, bearer: string, bytes: number): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'content-length': bytes };
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.once('error', reject);
    request.flushHeaders();
  });
}

test('a session that its client ended is gone, and one that the server forgot goes on', async () => {
  const client = await connected('legacy');
  const id = (client.transport as { sessionId?: string }).sessionId ?? '';
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const ping = (session: string) =>
    fetch(`${edge.origin}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'mcp-session-id': session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  expect((await ping(id)).status).toBe(200);
  const ended = await fetch(`${edge.origin}/mcp`, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': id } });
  expect(ended.ok).toBe(true);
  expect((await ping(id)).status).toBe(404);
  expect((await ping(crypto.randomUUID())).status).toBe(200);
  await client.close();
});

describe('a request', () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  test('over 32 MiB is answered 413 with a hint, unread', async () => {
    const { status, body } = await announced(`${edge.origin}/mcp`, token, (32 << 20) + 1);
    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ error: 'too_large', hint: expect.stringMatching(/import_table/) });
  });

  test('of 8 MiB makes a version', async () => {
    const text = 'x'.repeat(1 << 10);
    const rows = Array.from({ length: 5000 }, (_, i) => ({ i, text, more: text.slice(500) }));
    const client = await connected();
    expect(await call(client, 'write_table', { table: 'wide', rows })).toMatchObject({ rows: 5000 });
    await client.close();
  });

  test('of nearly 32 MiB is read, and what it asks is done or refused whole', async () => {
    const rows = Array.from({ length: 31 }, (_, i) => ({ i, text: 'x'.repeat(1 << 20) }));
    const client = await connected();
    const { isError, structuredContent } = await client.callTool({
      name: 'write_table',
      arguments: { table: 'huge', rows },
    });
    if (isError) expect(structuredContent).toMatchObject({ error: 'memory_limit', hint: expect.any(String) });
    const { total } = await call(client, 'list_tables', { search: 'huge' });
    expect(total).toBe(isError ? 0 : 1);
    await client.close();
  });

  test('of a form over 64 KiB is answered 413', async () => {
    const response = await fetch(`${edge.origin}/signin/begin`, {
      method: 'POST',
      headers: { ...headers, origin: edge.origin },
      body: JSON.stringify({ x: 'x'.repeat(100_000) }),
    });
    expect(response.status).toBe(413);
  });

  test('too many in a short time are answered 429 with a time to wait', async () => {
    const signIns = Array.from({ length: 150 }, () =>
      fetch(`${edge.origin}/signin/begin`, {
        method: 'POST',
        headers: { ...headers, origin: edge.origin },
        body: '{}',
      }),
    );
    const answers = await Promise.all(signIns);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]!.json()).toMatchObject({ error: 'rate_limit', hint: expect.any(String) });
  });
});

describe('an import', () => {
  test.each(hostileUrls)('of %s is refused', async (url) => {
    const client = await connected();
    const { structuredContent, isError } = await client.callTool({
      name: 'import_table',
      arguments: { table: 'x', source_url: url },
    });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: 'url_refused' });
    await client.close();
  });

  test('opens no connection to this machine, whatever the name', async () => {
    let connections = 0;
    const server = createServer((_request, response) => response.end('a\n1\n')).on(
      'connection',
      () => (connections += 1),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = await connected();
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', 'x.localhost', 'printer.local', 'intranet']) {
      const arguments_ = { table: 'x', source_url: `http://${host}:${port}/x.csv` };
      const { structuredContent } = await client.callTool({ name: 'import_table', arguments: arguments_ });
      expect(structuredContent).toMatchObject({ error: 'url_refused' });
    }
    expect(connections).toBe(0);
    await client.close();
    server.close();
  });
});

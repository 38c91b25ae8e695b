/** What clients of both eras of MCP get over HTTP, by the official client, from whatever core is behind it. */
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RunningServer, startServer } from '../../edge/desk/server.ts';
import { mcpHttp } from '../../wasm/mcp_http.ts';
import { withViews } from '../../wasm/mcp_apps.ts';
import { mcpServerFactory } from '../../wasm/mcp_server.ts';
import { answerViewHtml } from '../../wasm/answer_view.ts';
import { ScriptedCore } from './support/scripted_core.ts';
import { temporaryFolder } from './support/temporary.ts';

const eras = [
  { era: '2025', mode: 'legacy' },
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const;

test('the tools that answer rows or columns name the view, and no other does', () => {
  const named = withViews([{ name: 'query' }, { name: 'describe_table' }, { name: 'write_table' }]);
  const ui = { resourceUri: 'ui://stele/rows' };
  expect(named.map(({ _meta }) => _meta)).toEqual([{ ui }, { ui }, undefined]);
});

let core: ScriptedCore;
let server: RunningServer;

beforeEach(async () => {
  core = new ScriptedCore();
  server = await startServer({
    core,
    storeFile: join(temporaryFolder(), 'store.sqlite'),
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
});
afterEach(() => server.close());

async function connected(mode: (typeof eras)[number]['mode']): Promise<Client> {
  const client = new Client({ name: 'tester', version: '9.8' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`)));
  return client;
}

describe.each(eras)('a client of $era', ({ mode }) => {
  let client: Client;
  beforeEach(async () => {
    client = await connected(mode);
  });
  afterEach(() => client.close());

  test('gets the tools and the instructions', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'measure', 'slow']);
    expect(client.getInstructions()).toBe('Look around with echo.');
  });

  test('gets the view that clients show beside an answer, and no other resource', async () => {
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: 'ui://stele/rows', mimeType: 'text/html;profile=mcp-app' }]);
    const { contents } = await client.readResource({ uri: 'ui://stele/rows' });
    expect(contents).toMatchObject([{ uri: 'ui://stele/rows', mimeType: 'text/html;profile=mcp-app' }]);
    expect(contents[0]).toHaveProperty('text', answerViewHtml);
    await expect(client.readResource({ uri: 'ui://stele/other' })).rejects.toThrow('ui://stele/other');
  });

  test('gets the same in text and structure', async () => {
    const { content, structuredContent, isError } = await client.callTool({
      name: 'echo',
      arguments: { a: [1, null, '✓'] },
    });
    expect(structuredContent).toEqual({ a: [1, null, '✓'] });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    expect(isError).toBeFalsy();
  });

  test('gets an error as kind, message and hint in both', async () => {
    const { content, structuredContent, isError } = await client.callTool({ name: 'fail', arguments: {} });
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      error: 'unknown_table',
      message: 'There is no table x.',
      hint: 'Call list_tables.',
    });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  test('is named as the author, with all scopes and the server’s address', async () => {
    await client.callTool({ name: 'echo', arguments: {} });
    expect(core.callers).toEqual([
      { author: 'tester 9.8', read: true, write: true, share: true, origin: server.origin },
    ]);
  });

  test('hears progress and can cancel', async () => {
    const cancelling = new AbortController();
    const seen: number[] = [];
    const calling = client.callTool(
      { name: 'slow', arguments: {} },
      {
        signal: cancelling.signal,
        onprogress: ({ progress, total, message }) => {
          expect({ total, message }).toEqual({ total: 1000, message: 'counting' });
          seen.push(progress);
          if (seen.length === 3) cancelling.abort();
        },
      },
    );
    await expect(calling).rejects.toThrow();
    await vi.waitFor(() => expect(core.cancelled).toEqual(['slow']));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  test('may send 30 MiB', { timeout: 60_000 }, async () => {
    const text = 'x'.repeat(30 << 20);
    const { structuredContent } = await client.callTool({ name: 'measure', arguments: { text } });
    expect(structuredContent).toEqual({ characters: text.length });
  });
});

const call = (
  args: string,
) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":{
  "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},
  "io.modelcontextprotocol/clientCapabilities":{}}}}`;

/** A bare POST, whose Host header fetch would not let us choose. */
function post(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${server.origin}${path}`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

describe('the server', () => {
  test('keeps the digits of integers that a double would bend', async () => {
    const { text } = await post('/mcp', call('{"n": 9007199254740993, "small": 12, "real": 0.5}'));
    expect(text).toContain('"structuredContent":{"n":"9007199254740993","small":12,"real":0.5}');
  });

  test.each([
    ['a foreign Host', { host: 'evil.example' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    expect((await post('/mcp', call('{}'), headers)).status).toBe(403);
    expect((await post('/', '', headers)).status).toBe(403);
    expect(core.callers).toEqual([]);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:9'])('lets the local Origin %s in', async (origin) => {
    expect((await post('/mcp', call('{}'), { origin })).status).toBe(200);
  });

  test('answers a body over 32 MiB with 413', async () => {
    const { status } = await post('/mcp', call(`{"text":"${'x'.repeat(33 << 20)}"}`)).catch(() => ({ status: 413 }));
    expect(status).toBe(413);
  });

  test('answers what is not JSON with 400', async () => {
    expect((await post('/mcp', '{')).status).toBe(400);
  });

  test('lets nobody use the commands’ link without its token', async () => {
    expect((await post('/desk/call', '{"tools":true}')).status).toBe(401);
    expect((await post('/desk/call', '{"tools":true}', { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

describe('a session of 2025', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  async function begin(mcp: ReturnType<typeof mcpHttp>): Promise<string> {
    const response = await mcp.fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(initialize) }),
    );
    await response.text();
    return response.headers.get('mcp-session-id')!;
  }

  async function ping(mcp: ReturnType<typeof mcpHttp>, id: string): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const response = await mcp.fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers: { ...headers, 'mcp-session-id': id }, body }),
    );
    await response.text();
    return response.status;
  }

  test('ends when there are too many, the longest idle first', async () => {
    const factory = await mcpServerFactory(core, () => ({
      author: '',
      read: true,
      write: true,
      share: true,
      origin: '',
    }));
    const mcp = mcpHttp(factory, { sessionsMax: 2 });
    const first = await begin(mcp);
    const second = await begin(mcp);
    expect(await ping(mcp, first)).toBe(200);
    const third = await begin(mcp);
    expect([await ping(mcp, first), await ping(mcp, second), await ping(mcp, third)]).toEqual([200, 404, 200]);
    await mcp.close();
  });

  test('ends when it was idle too long', async () => {
    const factory = await mcpServerFactory(core, () => ({
      author: '',
      read: true,
      write: true,
      share: true,
      origin: '',
    }));
    const mcp = mcpHttp(factory, { sessionIdleMs: 30 });
    const first = await begin(mcp);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await begin(mcp);
    expect(await ping(mcp, first)).toBe(404);
    await mcp.close();
  });
});

/** Who gets what: every route with every kind of token. No token, no table, not even whether it exists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { changeAuth } from './support/auth_state.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { mcpRequest } from './support/mcp_request.ts';
import { connectByOAuth } from './support/oauth_client.ts';
import { Owner } from './support/owner.ts';

const state = temporaryFolder(afterAll);
const secretCell = 'planted-cell-4711';
let edge: LocalEdge;
let owner: Owner;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
  await owner.createWorkspace('other');
  tokens.full = await owner.createToken();
  tokens['read-only'] = await owner.createToken({ scopes: ['read'] });
  tokens['other workspace’s'] = await owner.createToken({ workspace: 'other' });
  tokens.expired = await owner.createToken({ name: 'soon over' });
  tokens.wrong = `${tokens.full.slice(0, -4)}AAAA`;
  tokens['no token of ours'] = 'abc';
  const { provider } = await connectByOAuth(`${edge.origin}/mcp`, owner);
  tokens['by OAuth, for main'] = provider.tokens()?.access_token ?? '';
  const client = await connect(`${edge.origin}/mcp`, tokens.full);
  await call(client, 'write_table', { table: 'private/salaries', rows: [{ name: secretCell }] });
  await client.close();
  await edge.kill();
  changeAuth(state, "UPDATE tokens SET expires_ms = 1 WHERE name = 'soon over'");
  await edge.start();
});
afterAll(() => edge.kill());

const bearer = (token: string) => `Bearer ${tokens[token]}`;

describe('MCP answers', () => {
  const places = ['/mcp', '/w/main/mcp', '/w/other/mcp', '/w/nowhere/mcp'];
  test.each([
    ['no token', undefined, [401, 401, 401, 401]],
    ['wrong', 'wrong', [401, 401, 401, 401]],
    ['no token of ours', 'no token of ours', [401, 401, 401, 401]],
    ['expired', 'expired', [401, 401, 401, 401]],
    ['full', 'full', [200, 200, 404, 404]],
    ['read-only', 'read-only', [200, 200, 404, 404]],
    ['other workspace’s', 'other workspace’s', [200, 404, 200, 404]],
    ['by OAuth, for main', 'by OAuth, for main', [200, 200, 404, 404]],
  ] as const)('with a token that is %s', async (_name, token, expected) => {
    const statuses = [];
    for (const place of places) {
      const response = await mcpRequest(edge.origin + place, token && bearer(token));
      statuses.push(response.status);
      const text = await response.text();
      if (response.status !== 200) expect(text).not.toContain('list_tables');
      if (response.status === 401) expect(response.headers.get('www-authenticate')).toMatch(/resource_metadata=/);
    }
    expect(statuses).toEqual(expected);
  });

  test('the owner’s cookie is no token', async () => {
    const response = await fetch(`${edge.origin}/mcp`, { method: 'POST', headers: { cookie: owner.cookie } });
    expect(response.status).toBe(401);
  });

  test('a refusal tells nothing of which workspaces there are', async () => {
    const of = async (place: string, token?: string) => {
      const response = await mcpRequest(edge.origin + place, token && bearer(token));
      return [response.status, await response.text()];
    };
    expect(await of('/w/other/mcp', 'full')).toEqual(await of('/w/nowhere/mcp', 'full'));
    expect(await of('/w/other/mcp')).toEqual(await of('/w/nowhere/mcp'));
  });

  test('headers that only the Worker may set count for nothing', async () => {
    const forged = {
      'x-stele-access': encodeURIComponent(JSON.stringify({ id: 'x', author: 'x', scopes: ['read'] })),
      'x-stele-base': edge.origin,
    };
    expect((await fetch(`${edge.origin}/w/main/`, { headers: forged })).status).toBe(404);
    expect((await fetch(`${edge.origin}/mcp`, { method: 'POST', headers: forged })).status).toBe(401);
  });
});

test('what is not there and what is not allowed is said in the words of an error, with a hint', async () => {
  const missing = await fetch(`${edge.origin}/w/main/s/AAAAAAAAAAAAAAAAAAAAAA/rows`);
  expect(await missing.json()).toEqual({ error: 'not_found', message: expect.any(String), hint: expect.any(String) });
  const headers = { 'content-type': 'application/json', origin: edge.origin };
  const setUp = await fetch(`${edge.origin}/setup/begin`, { method: 'POST', headers, body: '{"token":"none"}' });
  expect(setUp.status).toBe(403);
  expect(await setUp.json()).toEqual({
    error: 'sign_in_refused',
    message: expect.any(String),
    hint: expect.stringContaining('edge:setup-link'),
  });
});

describe('pages answer', () => {
  const pages: [string, number, number][] = [
    // path, for a stranger, for the owner
    ['/', 303, 303],
    ['/account', 303, 200],
    ['/w/main/', 404, 200],
    ['/w/other/', 404, 200],
    ['/w/nowhere/', 404, 404],
    ['/w/main/t/private/salaries', 404, 200],
    ['/w/other/t/private/salaries', 404, 404],
    ['/w/main/shares', 404, 200],
    ['/w/nowhere/shares', 404, 404],
    ['/w/main/s/AAAAAAAAAAAAAAAAAAAAAA', 404, 404],
    ['/w/main/s/AAAAAAAAAAAAAAAAAAAAAA/rows', 404, 404],
    ['/w/nowhere/s/AAAAAAAAAAAAAAAAAAAAAA', 404, 404],
    ['/w/main/r/nothing.json', 404, 404],
    ['/setup', 200, 200],
    ['/signin', 200, 200],
    ['/health', 200, 200],
    ['/openapi.json', 200, 200],
    ['/.well-known/stele/keys.json', 200, 200],
    ['/.well-known/oauth-authorization-server', 200, 200],
    ['/.well-known/oauth-protected-resource', 200, 200],
    ['/admin', 404, 404],
  ];
  test.each(pages)('%s: %i to a stranger, %i to the owner', async (path, stranger, signedIn) => {
    const asked = await fetch(edge.origin + path, { redirect: 'manual', headers: { authorization: bearer('full') } });
    const text = await asked.text();
    expect(asked.status).toBe(stranger);
    expect(text).not.toContain(secretCell);
    expect((await owner.get(path)).status).toBe(signedIn);
  });

  test.each([
    ...['/account/tokens', '/account/workspaces', '/account/tokens/revoke', '/account/apps/revoke', '/signout'],
    '/w/main/shares/end',
  ])('a form posted to %s by another site, with the owner’s cookie, changes nothing', async (path) => {
    const response = await owner.post(
      path,
      { name: 'evil', workspace: 'main', scope: 'read', days: '' },
      { origin: 'https://evil.example' },
    );
    expect(response.status).toBe(403);
  });

  test.each(['/account/tokens', '/account/workspaces', '/w/main/shares/end'])(
    'a form posted to %s without a session is refused',
    async (path) => {
      const fields = { name: 'evil', workspace: 'main', scope: 'read', days: '' };
      expect((await owner.post(path, fields, { cookie: '' })).status).toBe(404);
    },
  );
});

describe('a token’s scopes', () => {
  test('read alone reads, and neither writes nor shares', async () => {
    const client = await connect(`${edge.origin}/mcp`, tokens['read-only']!);
    expect(await call(client, 'query', { sql: 'select name from "private/salaries"' })).toMatchObject({
      rows: [[secretCell]],
    });
    for (const [name, args] of [
      ['write_table', { table: 'x', rows: [{ a: 1 }] }],
      ['delete_table', { table: 'private/salaries' }],
      ['query', { sql: 'select 1', save_as: 'x' }],
      ['query', { sql: 'select 1', receipt: true }],
      ['share_table', { table: 'private/salaries' }],
    ] as const) {
      await expect(call(client, name, args)).rejects.toThrow(/scope|allowed|forbidden/i);
    }
    expect(await call(client, 'list_tables', {})).toMatchObject({ total: 1 });
    await client.close();
  });

  test('another workspace’s token sees nothing of this one', async () => {
    const client = await connect(`${edge.origin}/mcp`, tokens['other workspace’s']!);
    expect(await call(client, 'list_tables', {})).toMatchObject({ total: 0 });
    await expect(call(client, 'query', { sql: 'select * from "private/salaries"' })).rejects.toThrow(/unknown_table/);
    await client.close();
  });

  test('a session of one token is none of another’s', async () => {
    const client = await connect(`${edge.origin}/mcp`, tokens.full!, 'legacy');
    const session = (client.transport as { sessionId?: string }).sessionId ?? '';
    expect(session).not.toBe('');
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'write_table', arguments: { table: 'x', rows: [{ a: 1 }] } },
    });
    const response = await fetch(`${edge.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: bearer('read-only'),
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-11-25',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });
    expect(await response.text()).toMatch(/scope/);
    await client.close();
  });

  test('a revoked token ends at once', async () => {
    const token = await owner.createToken({ name: 'short' });
    expect((await mcpRequest(`${edge.origin}/mcp`, `Bearer ${token}`)).status).toBe(200);
    await owner.post('/account/tokens/revoke', { id: token.split('_')[1]! });
    expect((await mcpRequest(`${edge.origin}/mcp`, `Bearer ${token}`)).status).toBe(401);
  });
});

test('the log holds no cell, no token and no cookie', () => {
  expect(edge.log.length).toBeGreaterThan(20);
  for (const secret of [
    secretCell,
    'salaries',
    owner.cookie.split('=')[1]!,
    ...Object.values(tokens).filter((token) => token.length > 10),
  ]) {
    expect(edge.printed).not.toContain(secret);
  }
});

/** Sign-in and consent: what the owner alone can do, once, and how a grant is bound to what was agreed to. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { mcpRequest } from './support/mcp_request.ts';
import { connectByOAuth, consent } from './support/oauth_client.ts';
import { Owner } from './support/owner.ts';
import { SoftwarePasskey } from './support/software_passkey.ts';

const state = temporaryFolder(afterAll);
const redirectUri = 'https://assistant.example/callback';
let edge: LocalEdge;
let owner: Owner;
let clientId: string;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
  await owner.createWorkspace('other');
  const registered = await fetch(`${edge.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Assistant <script>',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }),
  });
  clientId = ((await registered.json()) as { client_id: string }).client_id;
});
afterAll(() => edge.kill());

function authorizationUrl(change: Record<string, string> = {}): URL {
  const url = new URL('/authorize', edge.origin);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state-1',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...change,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

async function consentPage(): Promise<{ text: string; handle: string; response: Response }> {
  const url = authorizationUrl();
  const response = await owner.get(url.pathname + url.search);
  owner.keepCookies(response);
  const text = await response.text();
  return { text, response, handle: /name="handle" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

describe('the set-up link', () => {
  test('serves once', async () => {
    await expect(Owner.setUp(edge)).rejects.toThrow(/403/);
  });

  test('of another deployment serves never', async () => {
    const response = await fetch(`${edge.origin}/setup/begin`, {
      method: 'POST',
      headers: { origin: edge.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token: `${Date.now() + 60_000}.guess` }),
    });
    expect(response.status).toBe(403);
  });
});

describe('signing in', () => {
  test('with a passkey that is not the owner’s is refused', async () => {
    const post = (path: string, body: object) =>
      fetch(edge.origin + path, {
        method: 'POST',
        headers: { origin: edge.origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const options = await (await post('/signin/begin', {})).json();
    const response = new SoftwarePasskey(edge.origin).get(options as never);
    expect((await post('/signin/finish', { response })).status).toBe(403);
  });

  test('ends with signing out, on the server too', async () => {
    const cookie = owner.cookie;
    await owner.post('/signout', {});
    expect((await owner.get('/account', { cookie })).status).toBe(303);
    await owner.signIn();
    expect((await owner.get('/account')).status).toBe(200);
  });
});

describe('the consent page', () => {
  test('comes after signing in, and leads there by itself', async () => {
    const url = authorizationUrl();
    const response = await owner.get(url.pathname + url.search, { cookie: '' });
    expect(response.status).toBe(303);
    const next = new URL(response.headers.get('location')!, edge.origin);
    expect(next.pathname).toBe('/signin');
    expect(next.searchParams.get('next')).toBe(url.pathname + url.search);
  });

  test('names the host, the scopes and the workspaces, and shows what the app says of itself as text', async () => {
    const { text, response } = await consentPage();
    expect(text).toContain('<b>assistant.example</b>');
    expect(text).toContain('Assistant &lt;script&gt;');
    expect(text).not.toContain('<script>');
    for (const scope of ['read', 'write', 'share']) expect(text).toContain(`name="scope" value="${scope}"`);
    expect(text).toContain('<option value="other">');
    expect(response.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
  });

  test.each([
    ['a redirect URI that the app did not register', { redirect_uri: 'https://evil.example/' }],
    ['an app that nobody registered', { client_id: 'nobody' }],
  ])('refuses %s on the spot, without leading there', async (_name, change) => {
    const url = authorizationUrl(change);
    const response = await owner.get(url.pathname + url.search);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('does not take PKCE away', async () => {
    const url = authorizationUrl();
    url.searchParams.delete('code_challenge');
    const response = await owner.get(url.pathname + url.search);
    expect(new URL(response.headers.get('location') ?? edge.origin).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('an answer to the consent page', () => {
  const allow = (handle: string, headers: Record<string, string> = {}, workspace = 'main') =>
    owner.post('/authorize', { handle, workspace, scope: 'read', decision: 'allow' }, headers);

  test('without a session counts for nothing', async () => {
    const { handle } = await consentPage();
    const cookie = owner.cookie.replace(/__Host-stele-session=[^;]*/, '__Host-stele-session=guess');
    expect((await allow(handle, { cookie })).status).toBe(403);
  });

  test('from another site counts for nothing', async () => {
    const { handle } = await consentPage();
    expect((await allow(handle, { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('from another browser counts for nothing', async () => {
    const { handle } = await consentPage();
    const cookie = owner.cookie.split('; ').find((one) => one.startsWith('__Host-stele-session'))!;
    expect((await allow(handle, { cookie })).status).toBe(400);
  });

  test('counts once', async () => {
    const { handle } = await consentPage();
    const first = await allow(handle);
    expect(new URL(first.headers.get('location')!).searchParams.get('code')).toBeTruthy();
    expect((await allow(handle)).status).toBe(400);
  });

  test('for a workspace that is not there is refused', async () => {
    const { handle } = await consentPage();
    expect((await allow(handle, {}, 'nowhere')).status).toBe(400);
  });

  test('that denies leads back with access_denied and no code', async () => {
    const to = await consent(owner, authorizationUrl(), { decision: 'deny' });
    expect(to.origin).toBe('https://assistant.example');
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
      iss: edge.origin,
    });
  });
});

describe('a grant', () => {
  test('is for the workspace that the owner picked, and no other', async () => {
    const { client, provider } = await connectByOAuth(`${edge.origin}/mcp`, owner, { workspace: 'other' });
    await call(client, 'write_table', { table: 'here', rows: [{ a: 1 }] });
    const authorization = `Bearer ${provider.tokens()!.access_token}`;
    expect((await mcpRequest(`${edge.origin}/w/other/mcp`, authorization)).status).toBe(200);
    expect((await mcpRequest(`${edge.origin}/w/main/mcp`, authorization)).status).toBe(404);
    await client.close();
  });

  test('has the scopes that the owner left, whatever the app asked for', async () => {
    const { client } = await connectByOAuth(`${edge.origin}/mcp`, owner, { scopes: ['read'] }, 'legacy');
    await call(client, 'list_tables', {});
    await expect(call(client, 'write_table', { table: 'x', rows: [{ a: 1 }] })).rejects.toThrow(/scope/);
    await client.close();
  });

  test('shows in the account and ends there', async () => {
    const { client, provider } = await connectByOAuth(`${edge.origin}/mcp`, owner);
    await client.close();
    const account = await (await owner.get('/account')).text();
    expect(account).toContain('Assistant &lt;b&gt;under test&lt;/b&gt;');
    const ids = [...account.matchAll(/apps\/revoke">\s*<input type="hidden" name="id" value="([^"]+)"/g)].map(
      ([, id]) => id!,
    );
    for (const id of ids) await owner.post('/account/apps/revoke', { id });
    expect((await mcpRequest(`${edge.origin}/mcp`, `Bearer ${provider.tokens()!.access_token}`)).status).toBe(401);
  });
});

/** The official MCP client by URL alone: discovery, registration, the owner's consent in a browser without a screen, tokens. */
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Mode } from './client.ts';
import type { Owner } from './owner.ts';

export interface Consent {
  workspace?: string;
  scopes?: string[];
  decision?: 'allow' | 'deny';
}

/** Keeps in memory what an assistant would keep on its disk. */
export class MemoryOAuth implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback';
  authorizationUrl: URL | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Assistant <b>under test</b>',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.#discovery = state);
  discoveryState = () => this.#discovery;
}

/** Where the consent form's answer leads: the client's redirect URI with a code, or with an error. */
export async function consent(owner: Owner, authorizationUrl: URL, wish: Consent = {}): Promise<URL> {
  const { workspace = 'main', scopes = ['read', 'write', 'share'], decision = 'allow' } = wish;
  const page = await owner.get(authorizationUrl.pathname + authorizationUrl.search);
  owner.keepCookies(page);
  const handle = /name="handle" value="([^"]+)"/.exec(await page.text())?.[1];
  if (!handle) throw new Error(`the consent page answered ${page.status}`);
  const answer = await owner.post('/authorize', { handle, workspace, scope: scopes, decision });
  const location = answer.headers.get('location');
  if (!location) throw new Error(`the consent was answered ${answer.status}: ${await answer.text()}`);
  return new URL(location);
}

export interface OAuthConnection {
  client: Client;
  provider: MemoryOAuth;
}

export async function connectByOAuth(
  url: string,
  owner: Owner,
  wish: Consent = {},
  mode: Mode = { pin: '2026-07-28' },
): Promise<OAuthConnection> {
  const provider = new MemoryOAuth();
  const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const newClient = () => new Client({ name: 'edge-test', version: '1.0' }, { versionNegotiation: { mode } });
  const first = transport();
  const refused = await newClient()
    .connect(first)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (!(refused instanceof UnauthorizedError) || !provider.authorizationUrl) throw refused ?? new Error('not asked');
  await first.finishAuth((await consent(owner, provider.authorizationUrl, wish)).searchParams);
  const client = newClient();
  await client.connect(transport());
  return { client, provider };
}

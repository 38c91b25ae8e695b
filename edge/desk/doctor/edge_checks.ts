/** Looks at a deployment from outside, as an assistant meets it. It needs no token; with one it also tries that. */
import { type Finding, well, wrong } from './finding.ts';

const answerMsMax = 15_000;

interface Reply {
  status: number;
  headers: Headers;
  json: Record<string, unknown>;
}

export interface EdgeToExamine {
  url: string;
  /** A personal token or an access token. */
  token?: string | undefined;
}

export async function examineEdge({ url, token }: EdgeToExamine): Promise<Finding[]> {
  const { origin } = new URL(url);
  const health = await reply(`${origin}/health`).catch((error: unknown) => String((error as Error).cause ?? error));
  if (typeof health === 'string')
    return [wrong('Answers', health, 'Check the address, and that "npm run edge:deploy" went through.')];
  if (health.json.ok !== true)
    return [
      wrong(
        'Answers',
        `/health answered ${health.status}`,
        'Is this the address of a Stele? "wrangler tail" shows its log.',
      ),
    ];
  const checks = [
    secure(origin),
    well('Answers', origin),
    owner(health.json, origin),
    discovery,
    resource,
    challenge,
    key,
    files,
  ];
  const findings = [];
  for (const check of checks) findings.push(typeof check === 'function' ? await check(origin) : check);
  return token === undefined ? findings : [...findings, await tokenServes(origin, token)];
}

async function reply(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerMsMax), ...init });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, json: isJson ? parsed(text) : {} };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function secure(origin: string): Finding {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || hostname === 'localhost'
    ? well('Connection', protocol === 'https:' ? 'encrypted' : 'to this machine')
    : wrong('Connection', 'not encrypted', 'Use https: browsers give passkeys to no other address but localhost.');
}

function owner({ owner }: Record<string, unknown>, origin: string): Finding {
  return owner === true
    ? well('Owner', 'has a passkey')
    : wrong(
        'Owner',
        'has no passkey yet',
        `Open the set-up link at ${origin}/setup; "npm run edge:setup-link" makes a new one.`,
      );
}

async function discovery(origin: string): Promise<Finding> {
  const { status, json } = await reply(`${origin}/.well-known/oauth-authorization-server`);
  const issuer = String(json.issuer ?? `nothing (${status})`);
  return issuer === origin
    ? well('OAuth', `issuer ${issuer}`)
    : wrong(
        'OAuth',
        `the issuer is ${issuer}, not ${origin}`,
        `Set STELE_ORIGIN to ${origin}, or use the other address.`,
      );
}

async function resource(origin: string): Promise<Finding> {
  const { status, json } = await reply(`${origin}/.well-known/oauth-protected-resource`);
  return json.resource === origin
    ? well('Resource', origin)
    : wrong('Resource', `names ${String(json.resource ?? `nothing (${status})`)}`, `Set STELE_ORIGIN to ${origin}.`);
}

/** Without it no assistant finds the sign-in; a proxy in between may have eaten the header. */
async function challenge(origin: string): Promise<Finding> {
  const { status, headers } = await reply(`${origin}/mcp`, { method: 'POST' });
  const isRight = status === 401 && /resource_metadata=/.test(headers.get('www-authenticate') ?? '');
  return isRight
    ? well('MCP', `${origin}/mcp asks for a token`)
    : wrong(
        'MCP',
        `${status} without a token, where 401 with resource_metadata is due`,
        'Look at what stands between: a proxy, an access rule.',
      );
}

async function key(origin: string): Promise<Finding> {
  const { json } = await reply(`${origin}/.well-known/stele/keys.json`);
  const keys = Array.isArray(json.keys) ? (json.keys as { public_key: string }[]) : [];
  return keys[0]
    ? well('Signing key', keys[0].public_key)
    : wrong(
        'Signing key',
        'none: receipts cannot be signed',
        '"npm run edge:deploy" makes one and keeps it as the secret STELE_SIGNING_KEY.',
      );
}

async function files(origin: string): Promise<Finding> {
  const { status, headers } = await reply(`${origin}/assets/stele.css`);
  return status === 200 && /^text\/css/.test(headers.get('content-type') ?? '')
    ? well('Files', 'served')
    : wrong(
        'Files',
        `/assets/stele.css answered ${status}`,
        'Deploy by "npm run edge:deploy", which gathers them first.',
      );
}

async function tokenServes(origin: string, token: string): Promise<Finding> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: requestMeta } };
  const { status } = await reply(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify(body),
  });
  return status === 200
    ? well('Token', 'lists the tools')
    : wrong(
        'Token',
        `refused with ${status}`,
        `It may be past its end or revoked: ${origin}/account shows those that serve.`,
      );
}

const protocolVersion = '2026-07-28';
const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'stele doctor', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

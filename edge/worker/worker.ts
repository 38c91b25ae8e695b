/** The Worker: lets requests in or refuses them, and passes those it lets in to the object of their workspace. */
import { account } from '../auth/account.ts';
import { workspaceName } from '../auth/auth_object.ts';
import { consent } from '../auth/consent.ts';
import { type Admit, serveOAuth, serveResource } from '../auth/oauth.ts';
import { ownReceipts } from '../auth/receipts.ts';
import { shares } from '../auth/shares.ts';
import { setUpPage, signInPage, signInStep, signOut } from '../auth/sign_in.ts';
import { isOwner, limitStrangers, redirect, Refused, type Visit } from '../auth/visit.ts';
import { type Access, scopes } from '../handler/access.ts';
import { openApi } from '../handler/open_api.ts';
import { RateLimit } from '../handler/rate_limit.ts';
import { notFound, refusal, tooLarge } from '../handler/refusals.ts';
import { tooManyReaders } from '../handler/shared_rows.ts';
import { endedShare } from '../handler/shared_table.ts';
import { asset } from './assets.ts';
import type { Env } from './env.ts';
import { admitted } from './internal_request.ts';
import { log } from './log.ts';
import { publishing } from './publishing.ts';
import { shareName, shareToken } from './share_name.ts';
import { signingKey } from './signing_key.ts';

export { Auth } from '../auth/auth_object.ts';
export { Share } from './share_object.ts';
export { Workspace } from './workspace_object.ts';

const bodyBytesMax = 32 << 20;
/** Whoever reads public copies, by address. */
const readers = new RateLimit({ burst: 300, perSecond: 20 });
const owner: Access = { id: 'owner', author: 'owner', scopes };

export default {
  async fetch(request, env, ctx) {
    const began = Date.now();
    const url = new URL(request.url);
    const origin = env.STELE_ORIGIN || url.origin;
    const visit: Visit = { request, url, origin, env, ctx, auth: env.AUTH.getByName('owner') };
    const response = await route(visit).catch((error: unknown) => answerTo(error));
    log('request', {
      method: request.method,
      route: routeName(url.pathname),
      status: response.status,
      ms: Date.now() - began,
    });
    return response;
  },
} satisfies ExportedHandler<Env>;

async function route(visit: Visit): Promise<Response> {
  const { request, url } = visit;
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) return tooLarge(bodyBytesMax);
  switch (routeName(url.pathname)) {
    case '/health':
      return health(visit);
    case '/openapi.json':
      return Response.json(openApi(`${visit.origin}/w/{workspace}`), {
        headers: { 'access-control-allow-origin': '*' },
      });
    case '/mcp':
      return serveResource(visit, admitAgent(visit));
    case '/published':
      return serveResource(visit, publishing(visit));
    case '/oauth':
      limitStrangers(visit);
      return serveOAuth(visit);
    case '/.well-known':
      return wellKnown(visit);
    case '/authorize':
      return consent(visit);
    case '/setup':
    case '/signin':
      return request.method === 'POST' ? signInStep(visit) : url.pathname === '/setup' ? setUpPage() : signInPage();
    case '/signout':
      return request.method === 'POST' ? signOut(visit) : notFound();
    case '/account':
      return account(visit);
    case '/assets':
    case '/receipt_view.html':
      return asset(request, visit.env.ASSETS);
    case '/w':
      return workspacePage(visit);
    case '/':
      return redirect('/account');
    default:
      return notFound();
  }
}

/** The part of a path that names its kind; what follows may name a table. */
function routeName(pathname: string): string {
  if (/^\/w\/[^/]+\/mcp$/.test(pathname)) return '/mcp';
  if (/^\/w\/[^/]+\/published\//.test(pathname)) return '/published';
  const first = `/${pathname.split('/')[1] ?? ''}`;
  return knownRoutes.has(first) ? first : 'unknown';
}

const knownRoutes = new Set([
  ...[
    '/',
    '/health',
    '/openapi.json',
    '/mcp',
    '/published',
    '/oauth',
    '/.well-known',
    '/authorize',
    '/setup',
    '/signin',
    '/signout',
    '/account',
  ],
  ...['/assets', '/receipt_view.html', '/w'],
]);

function admitAgent(visit: Visit): Admit {
  return async (workspace, access) => {
    const response = await askWorkspace(visit, workspace, access, `/w/${workspace}/mcp`);
    const headers = new Headers(response.headers);
    // For clients in a browser, whose scripts see no other header.
    headers.append('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version');
    return new Response(response.body, { status: response.status, headers });
  };
}

/** Pages of tables for the owner; public copies and receipts for whoever has their link. */
async function workspacePage(visit: Visit): Promise<Response> {
  const [, , workspace = '', kind = '', token = ''] = visit.url.pathname.split('/');
  if (kind === 's') return publicCopy(visit, workspace, token);
  const access = (await isOwner(visit)) ? owner : undefined;
  if (!access && kind !== 'r') return notFound();
  if (!workspaceName.test(workspace) || !(await visit.auth.hasWorkspace(workspace))) return notFound();
  if (access && kind === 'shares') return shares(visit, workspace);
  if (access && kind === 'receipts') return ownReceipts(visit, workspace);
  if (!access) limitStrangers(visit);
  return askWorkspace(visit, workspace, access, visit.url.pathname);
}

/** The object of the link alone is asked: a stranger's request reaches neither the workspace nor what knows the owner. */
async function publicCopy(visit: Visit, workspace: string, token: string): Promise<Response> {
  const rest = visit.url.pathname.split('/').slice(5).join('/');
  if (!workspaceName.test(workspace) || !shareToken.test(token)) return endedShare(rest);
  const retryAfterS = readers.take(visit.request.headers.get('cf-connecting-ip') ?? 'unknown');
  if (retryAfterS > 0) return tooManyReaders(retryAfterS);
  const base = `${visit.origin}/w/${workspace}`;
  const request = new Request(new URL(visit.url.pathname + visit.url.search, visit.origin), visit.request);
  return visit.env.SHARE.getByName(shareName(workspace, token)).fetch(admitted(request, { base, access: undefined }));
}

function askWorkspace(
  visit: Visit,
  workspace: string,
  access: Access | undefined,
  pathname: string,
): Promise<Response> {
  const base = `${visit.origin}/w/${workspace}`;
  const request = new Request(new URL(pathname + visit.url.search, visit.origin), visit.request);
  return visit.env.WORKSPACE.getByName(workspace).fetch(admitted(request, { base, access }));
}

/** Whether the Worker and its objects answer, and whether the owner's passkey is made: what `stele doctor` asks first. */
async function health(visit: Visit): Promise<Response> {
  limitStrangers(visit);
  return Response.json({ ok: true, owner: await visit.auth.hasOwner() }, { headers: { 'cache-control': 'no-store' } });
}

async function wellKnown(visit: Visit): Promise<Response> {
  const { pathname } = visit.url;
  if (pathname.startsWith('/.well-known/oauth-protected-resource')) return serveResource(visit, async () => notFound());
  if (pathname.startsWith('/.well-known/oauth-authorization-server')) return serveOAuth(visit);
  if (pathname !== '/.well-known/stele/keys.json') return notFound();
  const key = await signingKey(visit.env.STELE_SIGNING_KEY);
  const keys = key ? [{ algorithm: 'Ed25519', public_key: key.publicKey }] : [];
  return Response.json({ keys }, { headers: { 'access-control-allow-origin': '*', 'cache-control': 'max-age=300' } });
}

function answerTo(error: unknown): Response {
  if (error instanceof Refused) return error.response;
  log('failed', { name: error instanceof Error ? error.name : typeof error });
  return refusal(500, 'internal', 'The server failed.', 'Try again; if it fails again, its log says when.');
}

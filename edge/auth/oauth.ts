/**
 * OAuth 2.1 for agents: discovery, registration, tokens by the provider library over the Auth object, and the check of every
 * bearer token, personal ones included. The one resource is the origin; the workspace is in the grant and is checked here.
 */
import { OAuthAuthorizationServer, OAuthResourceServer } from '@cloudflare/workers-oauth-provider';
import { type Access, type Scope, scopes } from '../handler/access.ts';
import { notFound } from '../handler/refusals.ts';
import { objectKv } from './object_kv.ts';
import { isPersonalToken } from './personal_tokens.ts';
import type { Visit } from './visit.ts';

/** What a grant carries, and a personal token like it. */
export interface GrantProps {
  /** Tells one grant or token from another; no secret. */
  id: string;
  workspace: string;
  author: string;
}

/** Lets a request in at a workspace. */
export type Admit = (workspace: string, access: Access) => Promise<Response>;

interface OAuthEnv {
  OAUTH_KV: KVNamespace;
  visit: Visit;
  admit: Admit;
}

interface Roles {
  server: OAuthAuthorizationServer<OAuthEnv>;
  resource: OAuthResourceServer<OAuthEnv, GrantProps>;
}

const accessTokenS = 3600;
const refreshTokenS = 90 * 24 * 3600;
const clientS = 30 * 24 * 3600;

/** A deployment has one origin, but for a while two when it gets a name of its own. */
const originsMax = 4;
const rolesByOrigin = new Map<string, Roles>();

function rolesOf(origin: string): Roles {
  const roles = rolesByOrigin.get(origin) ?? makeRoles(origin);
  if (rolesByOrigin.size >= originsMax) rolesByOrigin.clear();
  rolesByOrigin.set(origin, roles);
  return roles;
}

function makeRoles(origin: string): Roles {
  const server = new OAuthAuthorizationServer<OAuthEnv>({
    issuer: origin,
    resources: [origin],
    defaultResource: origin,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/oauth/token',
    clientRegistrationEndpoint: '/oauth/register',
    clientIdMetadataDocumentEnabled: true,
    scopesSupported: [...scopes, 'offline_access'],
    accessTokenTTL: accessTokenS,
    refreshTokenTTL: refreshTokenS,
    refreshTokenIdleTTL: refreshTokenS,
    clientRegistrationTTL: clientS,
    onError: () => {},
  });
  const resource = new OAuthResourceServer<OAuthEnv, GrantProps>({
    resourceMetadata: { resource: origin, authorization_servers: [origin], resource_name: 'Stele' },
    validateToken: (env) => async (audience, token) =>
      isPersonalToken(token)
        ? personalAccess(env.visit, audience, token)
        : server.validateToken<GrantProps>(audience, token, env),
    handler: {
      fetch: (request, env, { props, auth }) => {
        const wanted = wantedWorkspace(new URL(request.url).pathname);
        if (wanted !== undefined && wanted !== props.workspace) return notFound();
        const granted = scopes.filter((scope) => auth.scope.includes(scope));
        return env.admit(props.workspace, { id: props.id, author: props.author, scopes: granted });
      },
    },
  });
  return { server, resource };
}

async function personalAccess({ auth }: Visit, audience: string, token: string) {
  const found = await auth.findToken(token);
  if (!found) return null;
  const { id, workspace, name, scopes: granted, expiresMs } = found;
  const props: GrantProps = { id: `token ${id}`, workspace, author: name };
  return {
    props,
    audience,
    scope: [...granted] as Scope[],
    ...(expiresMs === null ? {} : { expiresAt: Math.floor(expiresMs / 1000) }),
  };
}

/** /w/NAME/… names a workspace; /mcp is whichever the token is for. */
function wantedWorkspace(pathname: string): string | undefined {
  return /^\/w\/([^/]+)\//.exec(pathname)?.[1];
}

function envOf(visit: Visit, admit: Admit = async () => notFound()): OAuthEnv {
  return { OAUTH_KV: objectKv(visit.auth), visit, admit };
}

/** Discovery of the authorization server, its token, revocation and registration endpoints. */
export function serveOAuth(visit: Visit): Promise<Response> {
  return rolesOf(visit.origin).server.fetch(visit.request, envOf(visit), visit.ctx);
}

/** Discovery of the resource, and what lies behind a bearer token. */
export function serveResource(visit: Visit, admit: Admit): Promise<Response> {
  return rolesOf(visit.origin).resource.fetch(visit.request, envOf(visit, admit), visit.ctx);
}

export function oauthApi(visit: Visit) {
  return rolesOf(visit.origin).server.getOAuthApi(envOf(visit));
}

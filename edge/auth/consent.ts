/**
 * The consent page at /authorize: only for the owner, signed in; it names where the access goes and what it allows, and picks
 * the workspace, which stays in the grant. Everything that a client says of itself is shown as text.
 */
import {
  AuthorizationError,
  type AuthRequest,
  CimdFetchError,
  type ConsentDescription,
} from '@cloudflare/workers-oauth-provider';
import { type Scope, scopes } from '../handler/access.ts';
import { html, type Html } from '../../wasm/html.ts';
import { type GrantProps, oauthApi } from './oauth.ts';
import { authPage, messagePage, scopeChoices, workspaceChoice } from './pages.ts';
import { randomText } from './secrets.ts';
import { signInFirst } from './sign_in.ts';
import { htmlPage, isOwner, limitStrangers, readForm, redirect, requireSameOrigin, type Visit } from './visit.ts';

/** What the page proposes to a client that asks for nothing. */
const usualScopes: readonly Scope[] = ['read', 'write'];

/** The owner of all grants: a deployment has one. */
export const ownerId = 'owner';

export interface GrantMetadata {
  client: string;
  workspace: string;
}

export async function consent(visit: Visit): Promise<Response> {
  limitStrangers(visit);
  try {
    return visit.request.method === 'POST' ? await decide(visit) : await ask(visit);
  } catch (error) {
    if (error instanceof AuthorizationError && error.redirectTo) return redirect(error.redirectTo);
    if (error instanceof AuthorizationError) return htmlPage(messagePage('This did not work', error.description), 400);
    if (error instanceof CimdFetchError)
      return htmlPage(messagePage('This did not work', 'The app’s own description could not be read.'), 400);
    throw error;
  }
}

async function ask(visit: Visit): Promise<Response> {
  const api = oauthApi(visit);
  const request = await api.parseAuthRequest(visit.request);
  // A request that is no good is refused before anyone signs in for it.
  if (!(await isOwner(visit))) return signInFirst(visit);
  const details = await api.describeConsent(request);
  const { handle, headers } = await api.beginConsent(request);
  const page = consentPage(details, handle, await visit.auth.workspaces());
  return htmlPage(page, 200, { headers, formAction: originOf(details.redirectUri) });
}

async function decide(visit: Visit): Promise<Response> {
  requireSameOrigin(visit);
  if (!(await isOwner(visit))) return htmlPage(messagePage('Sign in first', 'Your session has ended.'), 403);
  const api = oauthApi(visit);
  const form = await readForm(visit);
  const handle = form.get('handle') ?? '';
  if (form.get('decision') !== 'allow') {
    const denied = await api.denyConsent(visit.request, handle);
    return redirect(denied.redirectTo, denied.headers);
  }
  const workspace = form.get('workspace') ?? '';
  if (!(await visit.auth.hasWorkspace(workspace)))
    return htmlPage(messagePage('This did not work', 'There is no such workspace.'), 400);
  const chosen = scopes.filter((scope) => form.getAll('scope').includes(scope));
  const { request, headers } = await api.approveConsent(visit.request, handle, { scope: chosen });
  return redirect(await grant(visit, request, workspace, chosen), headers);
}

/** Makes the grant. One that the same app had for the same workspace ends, others stay. */
async function grant(visit: Visit, request: AuthRequest, workspace: string, chosen: Scope[]): Promise<string> {
  const api = oauthApi(visit);
  const client = (await api.lookupClient(request.clientId))?.clientName ?? request.clientId;
  const { items: earlier } = await api.listUserGrants(ownerId);
  const { redirectTo } = await api.completeAuthorization({
    request,
    userId: ownerId,
    metadata: { client, workspace } satisfies GrantMetadata,
    scope: chosen,
    props: { id: `grant ${randomText(9)}`, workspace, author: client } satisfies GrantProps,
    revokeExistingGrants: false,
  });
  const replaced = earlier.filter(
    ({ clientId, redirectUri, metadata }) =>
      clientId === request.clientId &&
      redirectUri === request.redirectUri &&
      (metadata as GrantMetadata).workspace === workspace,
  );
  for (const { id } of replaced) await api.revokeGrant(id, ownerId);
  return redirectTo;
}

function consentPage(details: ConsentDescription, handle: string, workspaces: string[]): Html {
  const asked = scopes.filter((scope) => details.scope.includes(scope));
  const proposed = asked.length > 0 ? asked : usualScopes;
  return authPage(
    'Allow access',
    html`<h1>Allow ${details.clientName} to use your tables?</h1>
      <p class="lead">
        ${
          details.clientDomain
            ? html`It is published by <b>${details.clientDomain}</b>.`
            : 'It registered itself: nobody has verified its name.'
        }
        Access goes to <b>${details.redirectHost}</b>.
      </p>
      ${
        details.redirectIsLoopback
          ? html`<p class="warning">
              That is a program on your own computer. Go on only if you have just asked it to connect.
            </p>`
          : ''
      }
      <form method="post" action="/authorize" class="form">
        <input type="hidden" name="handle" value="${handle}" />
        ${workspaceChoice('In the workspace', workspaces)} ${scopeChoices('It may', proposed)}
        <div class="fields">
          <button name="decision" value="allow" class="primary">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      <p class="quiet">It sees nothing of other workspaces. You can end its access in your account at any time.</p>`,
  );
}

/** Where the form's answer leads on to, for the policy that otherwise would stop it. */
function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}

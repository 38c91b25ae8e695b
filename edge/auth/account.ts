/** The owner's account: workspaces with their addresses, connected apps, personal tokens. Only for the owner, signed in. */
import { type Scope, scopes } from '../handler/access.ts';
import { html, type Html } from '../handler/html.ts';
import { notFound } from '../handler/refusals.ts';
import { type GrantMetadata, ownerId } from './consent.ts';
import { oauthApi } from './oauth.ts';
import { authPage, messagePage, moment, scopeWords } from './pages.ts';
import type { PersonalToken } from './personal_tokens.ts';
import { signInFirst } from './sign_in.ts';
import { htmlPage, isOwner, readForm, redirect, requireSameOrigin, type Visit } from './visit.ts';

const dayMs = 24 * 3600_000;
const nameCharsMax = 100;
const lifetimes: Record<string, string> = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '365': 'a year',
  '': 'until revoked',
};

interface ConnectedApp {
  id: string;
  scope: string[];
  metadata: GrantMetadata;
  madeMs: number;
}

export async function account(visit: Visit): Promise<Response> {
  if (!(await isOwner(visit))) return visit.request.method === 'GET' ? signInFirst(visit) : notFound();
  if (visit.request.method === 'GET') return shown(visit);
  requireSameOrigin(visit);
  const form = await readForm(visit);
  switch (visit.url.pathname) {
    case '/account/tokens':
      return createToken(visit, form);
    case '/account/tokens/revoke':
      await visit.auth.revokeToken(form.get('id') ?? '');
      return redirect('/account');
    case '/account/apps/revoke':
      await oauthApi(visit).revokeGrant(form.get('id') ?? '', ownerId);
      return redirect('/account');
    case '/account/workspaces': {
      const made = await visit.auth.createWorkspace(form.get('name') ?? '');
      return made ? redirect('/account') : htmlPage(messagePage('This did not work', workspaceRule), 400);
    }
    default:
      return notFound();
  }
}

const workspaceRule = 'A workspace’s name is of lower-case letters, digits and hyphens, at most 63, and not taken yet.';

async function createToken(visit: Visit, form: URLSearchParams): Promise<Response> {
  const name = (form.get('name') ?? '').trim().slice(0, nameCharsMax);
  const workspace = form.get('workspace') ?? '';
  const days = form.get('days') ?? '';
  const chosen: Scope[] = scopes.filter((scope) => form.getAll('scope').includes(scope));
  if (name === '' || chosen.length === 0 || !(days in lifetimes) || !(await visit.auth.hasWorkspace(workspace))) {
    return htmlPage(messagePage('This did not work', 'A token needs a name, a workspace and at least one scope.'), 400);
  }
  const expiresMs = days === '' ? null : Date.now() + Number(days) * dayMs;
  const token = await visit.auth.createToken({ name, workspace, scopes: chosen, expiresMs });
  return htmlPage(
    authPage(
      'New token',
      html`<h1>Token “${name}”</h1>
        <p>Copy it now; it is not shown again.</p>
        <pre id="token">${token}</pre>
        <pre>claude mcp add --transport http stele ${visit.origin}/mcp --header "Authorization: Bearer ${token}"</pre>
        <p><a href="/account">Your account</a></p>`,
    ),
  );
}

async function shown(visit: Visit): Promise<Response> {
  const [workspaces, tokens, grants] = [
    await visit.auth.workspaces(),
    await visit.auth.tokens(),
    await oauthApi(visit).listUserGrants(ownerId),
  ];
  const apps = grants.items.map(({ id, scope, metadata, createdAt }) => ({
    id,
    scope,
    metadata: metadata as GrantMetadata,
    madeMs: createdAt * 1000,
  }));
  const body = html`<h1>Your account</h1>
    ${workspacesShown(visit.origin, workspaces)} ${appsShown(apps)} ${tokensShown(tokens)} ${tokenForm(workspaces)}
    <form method="post" action="/signout"><button class="plain">Sign out</button></form>`;
  return htmlPage(authPage('Account', body));
}

function workspacesShown(origin: string, workspaces: string[]): Html {
  return html`<h2>Workspaces</h2>
    <ul>
      ${workspaces.map((name) => html`<li><a href="/w/${name}/">${name}</a></li>`)}
    </ul>
    <form method="post" action="/account/workspaces" class="row">
      <label>New workspace <input name="name" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" /></label>
      <button class="plain">Make it</button>
    </form>
    <h2>Connect an assistant</h2>
    <p>Give it this address. It asks here for your consent and for the workspace.</p>
    <pre>${origin}/mcp</pre>`;
}

function appsShown(apps: ConnectedApp[]): Html {
  if (apps.length === 0) return html`<p class="quiet">No assistant is connected yet.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Assistant</th>
        <th scope="col">Workspace</th>
        <th scope="col">May</th>
        <th scope="col">Since</th>
        <td></td>
      </tr>
    </thead>
    <tbody>
      ${apps.map(
        ({ id, scope, metadata, madeMs }) =>
          html`<tr>
            <td>${metadata.client}</td>
            <td>${metadata.workspace}</td>
            <td>${scope.join(', ')}</td>
            <td>${moment(madeMs)}</td>
            <td>${revokeForm('/account/apps/revoke', id, `Disconnect ${metadata.client}`)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function tokensShown(tokens: PersonalToken[]): Html {
  if (tokens.length === 0) return html`<h2>Personal tokens</h2>`;
  return html`<h2>Personal tokens</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Workspace</th>
          <th scope="col">May</th>
          <th scope="col">Until</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${tokens.map(
          ({ id, name, workspace, scopes: granted, expiresMs }) =>
            html`<tr>
              <td>${name}</td>
              <td>${workspace}</td>
              <td>${granted.join(', ')}</td>
              <td>${expiresMs === null ? 'revoked' : moment(expiresMs)}</td>
              <td>${revokeForm('/account/tokens/revoke', id, `Revoke ${name}`)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function revokeForm(action: string, id: string, label: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="id" value="${id}" /><button class="plain" aria-label="${label}">End</button>
  </form>`;
}

function tokenForm(workspaces: string[]): Html {
  return html`<form method="post" action="/account/tokens">
    <fieldset>
      <legend>New token, for programs that cannot sign in</legend>
      <label>Name <input name="name" required maxlength="${nameCharsMax}" /></label>
      <label
        >Workspace
        <select name="workspace">
          ${workspaces.map((name) => html`<option value="${name}">${name}</option>`)}
        </select></label
      >
      ${scopes.map(
        (scope) =>
          html`<label>
            <input type="checkbox" name="scope" value="${scope}" ${scope === 'read' ? html`checked` : ''} />
            <strong>${scope}</strong>: ${scopeWords[scope]}
          </label>`,
      )}
      <label
        >For
        <select name="days">
          ${Object.entries(lifetimes).map(([days, words]) => html`<option value="${days}">${words}</option>`)}
        </select></label
      >
      <p><button>Make a token</button></p>
    </fieldset>
  </form>`;
}

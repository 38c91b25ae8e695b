/** The owner's account: workspaces with their addresses, connected apps, personal tokens. Only for the owner, signed in. */
import { type Scope, scopes } from '../handler/access.ts';
import { html, type Html } from '../../wasm/html.ts';
import { notFound } from '../handler/refusals.ts';
import { type GrantMetadata, ownerId } from './consent.ts';
import { oauthApi } from './oauth.ts';
import { authPage, copied, messagePage, moment, scopeChoices, workspaceChoice } from './pages.ts';
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
      return made
        ? redirect('/account')
        : htmlPage(messagePage('This did not work', `A workspace’s name is of ${nameRule}, and not taken yet.`), 400);
    }
    default:
      return notFound();
  }
}

const nameRule = 'lower-case letters, digits and hyphens, at most 63';

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
  return htmlPage(tokenPage(visit.origin, name, token));
}

function tokenPage(origin: string, name: string, token: string): Html {
  return authPage(
    'New token',
    html`<h1>Token “${name}”</h1>
      <p class="lead">Copy it now: only its digest is kept, and it is not shown again.</p>
      ${copied(html`<pre id="token">${token}</pre>`)}
      <h2>Connect a client with it</h2>
      ${copied(`claude mcp add --transport http stele ${origin}/mcp --header "Authorization: Bearer ${token}"`)}
      <p><a href="/account">Your account</a></p>`,
    { script: 'copy', isSignedIn: true },
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
    ${assistants(visit.origin, apps)} ${workspacesShown(workspaces)} ${tokensShown(tokens, workspaces)}`;
  return htmlPage(authPage('Account', body, { script: 'copy', isSignedIn: true }));
}

function assistants(origin: string, apps: ConnectedApp[]): Html {
  return html`<section>
    <h2>Assistants</h2>
    <p>Give an assistant this address. It leads you here, where you allow it and pick its workspace.</p>
    ${copied(`${origin}/mcp`)} ${apps.length === 0 ? html`<p class="quiet">No assistant is connected yet.</p>` : ''}
    <ul class="entries">
      ${apps.map(
        ({ id, scope, metadata, madeMs }) =>
          html`<li>
            <div>
              ${metadata.client}
              <small>${metadata.workspace} · ${scope.join(', ')} · since ${moment(madeMs)}</small>
            </div>
            ${endForm('/account/apps/revoke', id, 'Disconnect', metadata.client)}
          </li>`,
      )}
    </ul>
  </section>`;
}

function workspacesShown(workspaces: string[]): Html {
  return html`<section>
    <h2>Workspaces</h2>
    <p>Each has tables of its own; an assistant or a token sees one.</p>
    <ul class="entries">
      ${workspaces.map(
        (name) =>
          html`<li>
            <div><a href="/w/${name}/">${name}</a></div>
            <a href="/w/${name}/shares" aria-label="Public tables of ${name}">Public tables</a>
            <a href="/w/${name}/receipts" aria-label="Receipts of ${name}">Receipts</a>
          </li>`,
      )}
    </ul>
    <form method="post" action="/account/workspaces" class="fields">
      <label
        >New workspace <input name="name" required pattern="[a-z0-9][a-z0-9\\-]{0,62}" title="${nameRule}"
      /></label>
      <button>Add</button>
    </form>
  </section>`;
}

function tokensShown(tokens: PersonalToken[], workspaces: string[]): Html {
  return html`<section>
    <h2>Personal tokens</h2>
    <p>For programs that cannot sign in.</p>
    <ul class="entries">
      ${tokens.map(
        ({ id, name, workspace, scopes: granted, expiresMs }) =>
          html`<li>
            <div>${name} <small>${workspace} · ${granted.join(', ')} · ${endOf(expiresMs)}</small></div>
            ${endForm('/account/tokens/revoke', id, 'Revoke', name)}
          </li>`,
      )}
    </ul>
    <form method="post" action="/account/tokens" class="form">
      <div class="fields">
        <label class="wide">Name <input name="name" required maxlength="${nameCharsMax}" /></label>
        ${workspaceChoice('Workspace', workspaces)}
        <label
          >Serves for
          <select name="days">
            ${Object.entries(lifetimes).map(([days, words]) => html`<option value="${days}">${words}</option>`)}
          </select></label
        >
      </div>
      ${scopeChoices('It may', ['read'])}
      <button class="primary">Make a token</button>
    </form>
  </section>`;
}

function endOf(expiresMs: number | null): Html {
  if (expiresMs === null) return html`until revoked`;
  return expiresMs > Date.now()
    ? html`until ${moment(expiresMs)}`
    : html`<span class="bad">expired ${moment(expiresMs)}</span>`;
}

function endForm(action: string, id: string, verb: string, name: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="id" value="${id}" /><button aria-label="${verb} ${name}">${verb}</button>
  </form>`;
}

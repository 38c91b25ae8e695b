/** /w/NAME/shares: what is public of a workspace, and how to end it. Only for the owner, whom the caller has let in. */
import { html, type Html } from '../../wasm/html.ts';
import { workspaceNav } from '../handler/workspace_nav.ts';
import { notFound } from '../handler/refusals.ts';
import type { SharedTable } from '../share/table_copy.ts';
import { authPage } from './pages.ts';
import { htmlPage, readForm, redirect, requireSameOrigin, type Visit } from './visit.ts';

export async function shares(visit: Visit, workspace: string): Promise<Response> {
  const { request, url, env, origin } = visit;
  const path = `/w/${workspace}/shares`;
  const object = env.WORKSPACE.getByName(workspace);
  if (request.method === 'GET' && url.pathname === path)
    return htmlPage(sharesPage(`${origin}/w/${workspace}`, workspace, await object.shares()));
  const change = url.pathname.slice(path.length);
  if (request.method !== 'POST' || (change !== '/end' && change !== '/sql')) return notFound();
  requireSameOrigin(visit);
  const form = await readForm(visit);
  const token = form.get('token') ?? '';
  if (change === '/end') await object.endShare(token);
  else await object.allowSql(token, form.get('allow') === 'true');
  return redirect(path);
}

function sharesPage(base: string, workspace: string, tables: (SharedTable & { allowsSql: boolean })[]): Html {
  return authPage(
    'Shares',
    html`<h1>Public tables of ${workspace}</h1>
      <p class="lead">
        Whoever has the link of a table reads its latest version. Ending it closes the link at once; what others have
        downloaded or copied by then cannot be recalled. With SQL allowed, readers may ask one SELECT at a time over
        that table alone, of ten seconds at most, some thirty a minute in all.
      </p>
      ${tables.length === 0 ? html`<p class="quiet">Nothing is public. An assistant with the scope share can share a table.</p>` : ''}
      <ul class="entries">
        ${tables.map(
          ({ table, token, version, allowsSql }) =>
            html`<li>
              <div>
                <a href="${base}/s/${token}">${table}</a>
                <small>version ${version}${allowsSql ? ', readers may query it with SQL' : ''}</small>
              </div>
              <form method="post" action="/w/${workspace}/shares/sql">
                <input type="hidden" name="token" value="${token}" />
                <input type="hidden" name="allow" value="${String(!allowsSql)}" />
                <button aria-label="${allowsSql ? 'Allow no SQL on' : 'Allow SQL on'} ${table}">
                  ${allowsSql ? 'Allow no SQL' : 'Allow SQL'}
                </button>
              </form>
              <form method="post" action="/w/${workspace}/shares/end">
                <input type="hidden" name="token" value="${token}" /><button aria-label="End the link of ${table}">
                  End
                </button>
              </form>
            </li>`,
        )}
      </ul>`,
    { isSignedIn: true, nav: workspaceNav(workspace, 'shares') },
  );
}

/** /w/NAME/shares: what is public of a workspace, and how to end it. Only for the owner, whom the caller has let in. */
import { html, type Html } from '../handler/html.ts';
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
  if (request.method !== 'POST' || url.pathname !== `${path}/end`) return notFound();
  requireSameOrigin(visit);
  await object.endShare((await readForm(visit)).get('token') ?? '');
  return redirect(path);
}

function sharesPage(base: string, workspace: string, tables: SharedTable[]): Html {
  return authPage(
    'Shares',
    html`<h1>Public tables of ${workspace}</h1>
      <p class="lead">
        Whoever has the link of a table reads its latest version. Ending it closes the link at once; what others have
        downloaded or copied by then cannot be recalled.
      </p>
      ${tables.length === 0 ? html`<p class="quiet">Nothing is public. An assistant with the scope share can share a table.</p>` : ''}
      <ul class="entries">
        ${tables.map(
          ({ table, token, version }) =>
            html`<li>
              <div><a href="${base}/s/${token}">${table}</a> <small>version ${version}</small></div>
              <form method="post" action="/w/${workspace}/shares/end">
                <input type="hidden" name="token" value="${token}" /><button aria-label="End the link of ${table}">
                  End
                </button>
              </form>
            </li>`,
        )}
      </ul>
      <p><a href="/w/${workspace}/">Tables</a> · <a href="/account">Your account</a></p>`,
    { isSignedIn: true },
  );
}

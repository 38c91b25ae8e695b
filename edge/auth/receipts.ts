/** /w/NAME/receipts: the receipts of a workspace, and how to withdraw one. Only for the owner, whom the caller has let in. */
import { html, type Html } from '../../wasm/html.ts';
import { workspaceNav } from '../handler/workspace_nav.ts';
import { moment } from '../../wasm/rows/rows_html.ts';
import { notFound } from '../handler/refusals.ts';
import type { PublicReceiptsAnswer } from '../../wasm/views.ts';
import { authPage } from './pages.ts';
import { htmlPage, readForm, redirect, requireSameOrigin, type Visit } from './visit.ts';

export async function ownReceipts(visit: Visit, workspace: string): Promise<Response> {
  const { request, url, env, origin } = visit;
  const path = `/w/${workspace}/receipts`;
  const object = env.WORKSPACE.getByName(workspace);
  if (request.method === 'GET' && url.pathname === path)
    return htmlPage(
      receiptsPage(workspace, (await object.receipts(`${origin}/w/${workspace}`)) as PublicReceiptsAnswer),
    );
  if (request.method !== 'POST' || url.pathname !== `${path}/withdraw`) return notFound();
  requireSameOrigin(visit);
  await object.withdrawReceipt((await readForm(visit)).get('id') ?? '');
  return redirect(path);
}

function receiptsPage(workspace: string, { receipts, total }: PublicReceiptsAnswer): Html {
  return authPage(
    'Receipts',
    html`<h1>Receipts of ${workspace}</h1>
      <p class="lead">
        Whoever has the link of a receipt reads its query and its rows, whatever becomes of the tables. Withdrawing it
        closes its address here; copies that people have, and a link that carries the receipt whole, cannot be recalled.
      </p>
      ${receipts.length === 0 ? html`<p class="quiet">There is none. An assistant makes one with query and receipt.</p>` : ''}
      ${total > receipts.length ? html`<p class="quiet">The latest ${receipts.length} of ${total}.</p>` : ''}
      <ul class="entries">
        ${receipts.map((receipt) => entry(workspace, receipt))}
      </ul>`,
    { isSignedIn: true, nav: workspaceNav(workspace, 'receipts') },
  );
}

type Listed = PublicReceiptsAnswer['receipts'][number];

function entry(workspace: string, receipt: Listed): Html {
  const { id, created_at: createdAt, message, sql, row_count: rows, in_link: isInLink } = receipt;
  const shown = message || sql.slice(0, 120);
  return html`<li>
    <div>
      <a href="/w/${workspace}/r/${id}">${shown}</a>
      <small
        >${rows} ${rows === 1 ? 'row' : 'rows'},
        ${moment(createdAt)}${isInLink ? ', carried whole by its link' : ''}</small
      >
    </div>
    <form method="post" action="/w/${workspace}/receipts/withdraw">
      <input type="hidden" name="id" value="${id}" /><button aria-label="Withdraw ${shown}">Withdraw</button>
    </form>
  </li>`;
}

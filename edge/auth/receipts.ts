/** /w/NAME/receipts: the receipts of a workspace, and how to withdraw one. Only for the owner, whom the caller has let in. */
import { html, type Html } from '../handler/html.ts';
import { moment } from '../handler/pages.ts';
import { notFound } from '../handler/refusals.ts';
import type { ListedReceipt, ReceiptsAnswer } from '../../wasm/views.ts';
import { authPage } from './pages.ts';
import { htmlPage, readForm, redirect, requireSameOrigin, type Visit } from './visit.ts';

export async function ownReceipts(visit: Visit, workspace: string): Promise<Response> {
  const { request, url, env } = visit;
  const path = `/w/${workspace}/receipts`;
  const object = env.WORKSPACE.getByName(workspace);
  if (request.method === 'GET' && url.pathname === path)
    return htmlPage(receiptsPage(workspace, (await object.receipts()) as ReceiptsAnswer));
  if (request.method !== 'POST' || url.pathname !== `${path}/withdraw`) return notFound();
  requireSameOrigin(visit);
  await object.withdrawReceipt((await readForm(visit)).get('id') ?? '');
  return redirect(path);
}

function receiptsPage(workspace: string, { receipts, total }: ReceiptsAnswer): Html {
  return authPage(
    'Receipts',
    html`<h1>Receipts of ${workspace}</h1>
      <p class="lead">
        Whoever has the link of a receipt reads its query and its rows, whatever becomes of the tables. Withdrawing it
        closes the link; a short receipt travels whole in its link, which cannot be recalled.
      </p>
      ${receipts.length === 0 ? html`<p class="quiet">There is none. An assistant makes one with query and receipt.</p>` : ''}
      ${total > receipts.length ? html`<p class="quiet">The latest ${receipts.length} of ${total}.</p>` : ''}
      <ul class="entries">
        ${receipts.map((receipt) => entry(workspace, receipt))}
      </ul>
      <p>
        <a href="/w/${workspace}/">Tables</a> · <a href="/w/${workspace}/shares">Public tables</a> ·
        <a href="/account">Your account</a>
      </p>`,
    { isSignedIn: true },
  );
}

function entry(workspace: string, { id, created_at: createdAt, message, sql, row_count: rows }: ListedReceipt): Html {
  const shown = message || sql.slice(0, 120);
  return html`<li>
    <div>
      <a href="/w/${workspace}/r/${id}">${shown}</a>
      <small>${rows} ${rows === 1 ? 'row' : 'rows'}, ${moment(createdAt)}</small>
    </div>
    <form method="post" action="/w/${workspace}/receipts/withdraw">
      <input type="hidden" name="id" value="${id}" /><button aria-label="Withdraw ${shown}">Withdraw</button>
    </form>
  </li>`;
}

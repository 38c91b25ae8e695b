/** <st-shares-page>: what is public by a link, and how to end it. It says what ending does not reach. */
import { html, nothing } from 'lit';
import { under } from '../../base.ts';
import { hrefOf, tablePlace } from '../base/address.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { moment, pathShown } from '../base/shown.ts';
import type { SharesAnswer } from '../../../wasm/views.ts';

export class SharesPage extends Page {
  #shares = new Fetching<SharesAnswer>(this, 'Listing shares');

  override get heading(): string {
    return 'Shares';
  }

  protected override load(): void {
    void this.#shares.run((options) => this.context.tables.shares(options));
  }

  override render() {
    const { value, error, bar } = this.#shares;
    return html`<div class="page">
      <h1>Shares</h1>
      <p class="quiet">
        Whoever has the link of a shared table reads its latest version, at a desk or an edge that has this workspace.
        Older versions stay private. Ending a share ends it in this workspace, and wherever a backup of it is put from
        then on; what others have downloaded or copied by then cannot be recalled.
      </p>
      ${bar} ${error ? refusalShown(error) : nothing}
      ${
        value?.shares.length === 0
          ? html`<p class="empty">
              Nothing is shared. These tables lie in this browser alone, where no link of others leads: take them to a
              desk or an edge with a <a href=${under('storage')}>backup</a> to share one there.
            </p>`
          : nothing
      }
      ${value?.shares.length ? this.#listed(value) : nothing}
    </div>`;
  }

  #listed({ shares }: SharesAnswer) {
    return html`<table class="list">
      <thead>
        <tr>
          <th scope="col">Table</th>
          <th scope="col">Shared</th>
          <th scope="col"><span class="unseen">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        ${shares.map(
          ({ path, since, version }) =>
            html`<tr>
              <td>
                <a href=${hrefOf(tablePlace(path))} data-row>${pathShown(path)}</a>
                <p class="quiet">Version ${version}</p>
              </td>
              <td>${since ? moment(since) : html`<span class="quiet">some time ago</span>`}</td>
              <td class="row-actions">
                <button type="button" @click=${() => this.#end(path)}>End</button>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  async #end(path: string): Promise<void> {
    if (!(await this.context.attempt(() => this.context.workspace.makePrivate(path)))) return;
    this.load();
    this.context.notify({
      text: `${path} is private again. Sharing it anew makes another link.`,
    });
  }
}

customElements.define('st-shares-page', SharesPage);

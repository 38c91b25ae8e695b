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
  #edge = new Fetching<string | null>(this, 'Looking for the edge');

  override get heading(): string {
    return 'Shares';
  }

  protected override load(): void {
    void this.#shares.run((options) => this.context.tables.shares(options));
    void this.#edge.run(() => this.context.workspace.edge());
  }

  override render() {
    const { value, error, bar } = this.#shares;
    return html`<div class="page">
      <h1>Shares</h1>
      <p class="quiet">
        Whoever has the link of a shared table reads its latest version. Older versions stay private. Ending a share
        closes its link at once; what others have downloaded or copied by then cannot be recalled.
      </p>
      ${this.#edgeShown()} ${bar} ${error ? refusalShown(error) : nothing}
      ${
        value?.shares.length === 0
          ? html`<p class="empty">
              Nothing is shared.
              ${
                this.#edge.value
                  ? 'Open a table and choose Share by link.'
                  : html`These tables lie in this browser alone, where no link of others leads: connect an edge, or take
                      them to a desk with a <a href=${under('storage')}>backup</a>.`
              }
            </p>`
          : nothing
      }
      ${value?.shares.length ? this.#listed(value) : nothing}
    </div>`;
  }

  #edgeShown() {
    const { value: base, error } = this.#edge;
    if (base === undefined) return nothing;
    if (base !== null)
      return html`<p>
        Published at <a href=${`${base}/shares`}>${new URL(base).host}</a>, where later versions follow by themselves.
        <button type="button" class="plain" @click=${() => this.#disconnect()}>Disconnect</button>
      </p>`;
    return html`<details class="edge-form">
      <summary>Connect an edge to share by link</summary>
      <p class="quiet">
        An edge is a Stele with an address of its own. Its account page makes a token; one with the scope share alone is
        enough, and with read the receipts that were made there are listed here too. Only tables that you share travel
        there. The token stays in this browser.
      </p>
      ${
        this.#shares.value?.shares.length
          ? html`<p>Once it is connected, the tables listed below are public there.</p>`
          : nothing
      }
      <form class="import-form" @submit=${(event: SubmitEvent) => this.#connect(event)}>
        <label class="grow"
          >Address<input name="address" required placeholder="https://stele.example" spellcheck="false"
        /></label>
        <label class="grow"
          >Token<input name="token" type="password" required autocomplete="off" spellcheck="false"
        /></label>
        <button type="submit" class="primary">Connect</button>
      </form>
      ${error ? refusalShown(error) : nothing}
    </details>`;
  }

  async #connect(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const [address, token] = [String(fields.get('address')).trim(), String(fields.get('token')).trim()];
    const base = await this.#edge.run(() => this.context.workspace.connectEdge(address, token));
    if (base) this.context.notify({ text: `Connected to ${new URL(base).host}.` });
  }

  async #disconnect(): Promise<void> {
    const base = this.#edge.value;
    if (!base || !(await this.context.attempt(() => this.context.workspace.disconnectEdge()))) return;
    this.context.notify({
      text: `Disconnected. What is public at ${new URL(base).host} stays so until it is ended there.`,
    });
    this.load();
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
          ({ path, token, since, version }) =>
            html`<tr>
              <td>
                <a href=${hrefOf(tablePlace(path))} data-row>${pathShown(path)}</a>
                <p class="quiet">
                  Version
                  ${version}${this.#edge.value ? html`, <a href=${`${this.#edge.value}/s/${token}`}>its public page</a>` : nothing}
                </p>
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

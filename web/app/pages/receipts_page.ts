/** <st-receipts-page>: the receipts that were made here, newest first, and those at the edge that was connected. */
import { html, nothing } from 'lit';
import { baseAddress, under } from '../../base.ts';
import { hrefOf, tablePlace } from '../base/address.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import './edge_receipts.ts';
import { moment } from '../base/shown.ts';
import { count, counted, who } from '../base/words.ts';
import type { ListedReceipt, ReceiptsAnswer } from '../../../wasm/views.ts';

const atOnce = 100;

interface Listing extends ReceiptsAnswer {
  /** Those whose links carry them whole. */
  inLinks: Set<string>;
}

export class ReceiptsPage extends Page {
  #receipts = new Fetching<Listing>(this, 'Listing receipts');
  #edge = new Fetching<string | null>(this, 'Looking for the edge');
  #limit = atOnce;

  override get heading(): string {
    return 'Receipts';
  }

  protected override load(): void {
    const { tables, workspace } = this.context;
    void this.#receipts.run(async (options) => {
      const answer = await tables.receipts(this.#limit, options);
      const ids = answer.receipts.map(({ id }) => id);
      return { ...answer, inLinks: new Set(await workspace.inLinks(ids, baseAddress())) };
    });
    void this.#edge.run(() => this.context.workspace.edge());
  }

  override render() {
    const { value, error, bar } = this.#receipts;
    return html`<div class="page">
      <h1>Receipts</h1>
      <p class="quiet">A receipt shows how a figure was got: SQL, table versions and rows, the same for good.</p>
      ${this.#edge.value ? html`<h2>In this browser</h2>` : nothing} ${bar} ${error ? refusalShown(error) : nothing}
      ${
        value?.total === 0
          ? html`<p class="empty">
              No receipts yet. Run a <a href=${under('query')}>query</a> and choose “Make a receipt”, or ask an agent to
              pass <code>receipt</code> with the figure it states.
            </p>`
          : nothing
      }
      ${value && value.total > 0 ? this.#listed(value) : nothing}
      ${
        this.#edge.value
          ? html`<st-edge-receipts .context=${this.context} .base=${this.#edge.value}></st-edge-receipts>`
          : nothing
      }
    </div>`;
  }

  #listed({ receipts, total, inLinks }: Listing) {
    return html`<ol class="receipts">
        ${receipts.map((receipt) => this.#receipt(receipt, inLinks.has(receipt.id)))}
      </ol>
      ${
        total > receipts.length
          ? html`<p>
              <button type="button" @click=${() => this.#more()}>Show more</button>
              <span class="quiet">${count(receipts.length)} of ${count(total)}</span>
            </p>`
          : nothing
      }`;
  }

  #receipt({ id, created_at, author, message, sql, row_count, tables }: ListedReceipt, isInLink: boolean) {
    return html`<li>
      <a class="code" href=${hrefOf({ page: 'receipt', id })} data-row
        >${sql.length > 160 ? `${sql.slice(0, 160)}…` : sql}</a
      >
      <p>
        ${message ? `${message}. ` : nothing}${counted(row_count, 'row')} from
        ${tables.map(
          ({ path, version }, i) =>
            html`${i ? ', ' : ''}<a href=${hrefOf(tablePlace(path, { version }))}><bdi>${path}</bdi>@${version}</a>`,
        )}${tables.length === 0 ? 'no table' : nothing}
      </p>
      <p class="quiet">
        ${moment(created_at)} by ${who(author)}.
        ${
          isInLink
            ? 'Its link carries it whole, and cannot be recalled from whoever has it.'
            : 'It opens in this browser only.'
        }
      </p>
    </li>`;
  }

  #more(): void {
    this.#limit += atOnce;
    this.load();
  }
}

customElements.define('st-receipts-page', ReceiptsPage);

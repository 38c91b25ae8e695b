/**
 * <st-edge-receipts>: the receipts at the edge that was connected, and how to withdraw one. They were made there: what is made
 * in this browser does not travel. It says of each what withdrawing does not reach.
 */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { under } from '../../base.ts';
import type { AppContext } from '../base/context.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import { moment } from '../base/shown.ts';
import { count, counted } from '../base/words.ts';
import type { PublicReceiptsAnswer } from '../../../wasm/views.ts';

type Listed = PublicReceiptsAnswer['receipts'][number];

export class EdgeReceipts extends LightElement {
  static override properties = {
    context: { attribute: false },
    base: { attribute: false },
    chosen: { state: true },
  };
  declare context: AppContext;
  /** Where the edge's links begin. */
  declare base: string;
  /** What is asked about. */
  declare private chosen: Listed | undefined;
  #receipts = new Fetching<PublicReceiptsAnswer>(this, 'Asking the edge for its receipts');
  #withdrawing = new Fetching<true>(this, 'Withdrawing');
  #dialog = createRef<HTMLDialogElement>();

  private get host(): string {
    return new URL(this.base).host;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#load();
  }

  #load(): void {
    void this.#receipts.run(() => this.context.workspace.edgeReceipts());
  }

  override render() {
    const { value, bar } = this.#receipts;
    return html`<h2>At ${this.host}</h2>
      <p class="quiet">
        Made by agents of that workspace, and open to whoever has the address. Withdrawn, an address leads nowhere and
        nothing is run again there.
      </p>
      ${bar} ${this.#refused()} ${value?.total === 0 ? html`<p>There are none.</p>` : nothing}
      ${value && value.total > 0 ? this.#listed(value) : nothing} ${this.#question()}`;
  }

  #refused() {
    const { error } = this.#receipts;
    if (!error) return nothing;
    if (error.kind !== 'forbidden')
      return html`${refusalShown(error)}
        <p><button type="button" @click=${() => this.#load()}>Try again</button></p>`;
    return html`<div class="refusal" role="alert">
      <p>The token that connects ${this.host} may not read, so its receipts cannot be listed here.</p>
      <p class="quiet">
        <a href=${`${this.base}/receipts`}>The edge’s own page</a> lists and withdraws them; or
        <a href=${under('shares')}>disconnect</a>, and connect it again with a token that has the scopes read and share.
      </p>
    </div>`;
  }

  #listed({ receipts, total }: PublicReceiptsAnswer) {
    return html`<ol class="receipts at-edge">
        ${receipts.map((receipt) => this.#receipt(receipt))}
      </ol>
      ${
        total > receipts.length
          ? html`<p class="quiet">
              The latest ${count(receipts.length)} of ${count(total)}. Once some of them are withdrawn, older ones
              follow.
            </p>`
          : nothing
      }`;
  }

  #receipt(receipt: Listed) {
    const { id, created_at, author, message, sql, row_count, tables } = receipt;
    const reads = tables.map(({ path, version }) => `${path}@${version}`).join(', ');
    return html`<li>
      <div>
        <a class="code" href=${`${this.base}/r/${id}`} data-row>${shortened(sql)}</a>
        <p>${message ? `${message}. ` : nothing}${counted(row_count, 'row')} from <bdi>${reads || 'no table'}</bdi></p>
        <p class="quiet">${moment(created_at)} by <bdi>${author}</bdi>. ${beyondReach(receipt)}</p>
      </div>
      <button type="button" aria-label=${`Withdraw ${shortened(message || sql)}`} @click=${() => this.#ask(receipt)}>
        Withdraw…
      </button>
    </li>`;
  }

  #ask(receipt: Listed): void {
    this.#withdrawing.clear();
    this.chosen = receipt;
    this.#dialog.value!.showModal();
  }

  #question() {
    const { error, isBusy, bar } = this.#withdrawing;
    const { chosen } = this;
    return html`<dialog aria-label="Withdraw" @close=${() => this.#withdrawing.cancel()} ${ref(this.#dialog)}>
      <h2>Withdraw this receipt</h2>
      ${
        chosen
          ? html`<p class=${chosen.message ? '' : 'code'}>${shortened(chosen.message || chosen.sql)}</p>
              <p>Its address at ${this.host} leads nowhere from then on. That cannot be undone.</p>
              <p class="quiet">${beyondReach(chosen)}</p>`
          : nothing
      }
      ${bar} ${error ? refusalShown(error) : nothing}
      <div class="actions">
        <button type="button" class="primary" ?disabled=${isBusy} @click=${() => this.#withdraw()}>Withdraw</button>
        <button type="button" @click=${() => this.#dialog.value!.close()}>Cancel</button>
      </div>
    </dialog>`;
  }

  async #withdraw(): Promise<void> {
    const receipt = this.chosen!;
    const isDone = await this.#withdrawing.run(async () => {
      await this.context.workspace.withdrawReceipt(receipt.id);
      return true;
    });
    if (!isDone) return;
    this.#dialog.value!.close();
    this.context.notify({ text: `Withdrawn at ${this.host}. ${beyondReach(receipt)}` });
    this.#load();
  }
}

/** What of a receipt no withdrawal reaches. */
function beyondReach({ in_link: isInLink }: Listed): string {
  return isInLink
    ? 'Its link carries it whole: that link and copies that people have cannot be recalled.'
    : 'Copies that people have cannot be recalled.';
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

customElements.define('st-edge-receipts', EdgeReceipts);

declare global {
  interface HTMLElementTagNameMap {
    'st-edge-receipts': EdgeReceipts;
  }
}

/** <st-receipt-page>: a receipt of this workspace, shown in the frame that has no reach to it. */
import { html } from 'lit';
import { baseAddress, under } from '../../base.ts';
import type { Place } from '../base/address.ts';
import { Page } from '../base/page.ts';
import { publicKeyOf } from '../../../worker/signing_key.ts';
import { type Found, receiptFrame } from '../../receipt/frame.ts';
import { rerun } from '../../receipt/rerun.ts';

type ReceiptPlace = Extract<Place, { page: 'receipt' }>;

export class ReceiptPage extends Page<ReceiptPlace> {
  #frame: HTMLIFrameElement | undefined;
  #shown = '';

  override get heading(): string {
    return 'Receipt';
  }

  protected override load(): void {
    const { id } = this.place;
    if (id === this.#shown) return;
    this.#shown = id;
    const { tables, workspace } = this.context;
    this.#frame = receiptFrame({
      find: () => this.#find(id),
      link: `${baseAddress()}/r/${id}`,
      rerun: (content) => rerun(content, workspace, tables.caller),
    });
  }

  async #find(id: string): Promise<Found> {
    const receipt = await this.context.workspace.receipt(id);
    if (receipt) {
      const ownKey = await publicKeyOf('default').catch(() => undefined);
      return { receipt, place: { from: 'store', ...(ownKey ? { ownKey } : {}) } };
    }
    return {
      problem: 'There is no receipt of this name in this browser.',
      hint: 'A receipt made in another browser opens there, unless its link carries it whole.',
    };
  }

  override render() {
    return html`<div class="page">
      <p class="quiet"><a href=${under('receipts')}>Receipts</a></p>
      ${this.#frame}
    </div>`;
  }
}

customElements.define('st-receipt-page', ReceiptPage);

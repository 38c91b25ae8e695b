/** <st-storage-page>: where the tables lie, how much room there is, and how to take all of them along. */
import { html, nothing } from 'lit';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { count, counted, sizeText } from '../base/words.ts';
import type { WorkspaceAnswer } from '../../../wasm/views.ts';
import type { StorageFacts } from '../../../worker/client.ts';

interface Facts {
  counts: WorkspaceAnswer;
  storage: StorageFacts;
}

export class StoragePage extends Page {
  #facts = new Fetching<Facts>(this, 'Measuring');

  override get heading(): string {
    return 'Storage';
  }

  protected override load(): void {
    const { tables, workspace } = this.context;
    void this.#facts.run(async (options) => ({
      counts: await tables.counts(options),
      storage: await workspace.storage(),
    }));
  }

  override render() {
    const { value, error, bar } = this.#facts;
    return html`<div class="page">
      <h1>Storage</h1>
      <p class="quiet">Your tables lie in this browser, on this device, and nowhere else.</p>
      ${bar} ${error ? refusalShown(error) : nothing} ${value ? this.#shown(value) : nothing}
    </div>`;
  }

  #shown({ counts, storage }: Facts) {
    const { usedBytes, availableBytes, persisted } = storage;
    return html`<dl class="measures">
        <div>
          <dt>Tables</dt>
          <dd>
            ${count(counts.tables)}${counts.trashed ? html` <span class="quiet">and ${count(counts.trashed)} in the trash</span>` : nothing}
          </dd>
        </div>
        <div>
          <dt>Rows</dt>
          <dd>${count(counts.rows)}</dd>
        </div>
        <div>
          <dt>Versions</dt>
          <dd>${count(counts.versions)}</dd>
        </div>
        <div>
          <dt>Stored, with all versions</dt>
          <dd>${sizeText(counts.bytes)}</dd>
        </div>
      </dl>
      <h2>Room</h2>
      <p><meter min="0" max=${usedBytes + availableBytes} value=${usedBytes} aria-label="Room used"></meter></p>
      <p>
        ${sizeText(usedBytes)} used by this site, ${sizeText(availableBytes)} more to be had, as the browser estimates.
      </p>
      ${
        persisted
          ? html`<p class="good">The browser has promised not to remove the tables by itself.</p>`
          : html`<p>When the disk runs full, the browser may remove the tables by itself.</p>
              <button type="button" @click=${() => this.#persist()}>Ask the browser to keep them</button>`
      }
      <h2>Backup</h2>
      ${this.#backup()}
      <p class="quiet">
        ${counted(counts.receipts, 'receipt')} and ${counted(counts.shares, 'share')} are part of it; the key that signs
        receipts never leaves this browser.
      </p>`;
  }

  #backup() {
    return nothing;
  }

  async #persist(): Promise<void> {
    const isKept = await this.context.workspace.requestPersistence();
    this.context.notify({
      text: isKept
        ? 'The browser will keep the tables.'
        : 'The browser did not promise it. It may once you use this page more often, or install it.',
    });
    this.load();
  }
}

customElements.define('st-storage-page', StoragePage);

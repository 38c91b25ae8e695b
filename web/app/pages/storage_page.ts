/** <st-storage-page>: where the tables lie, how much room there is, and how to take all of them along. */
import { html, nothing } from 'lit';
import { looksLikeBackup, saveStream } from '../base/download.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { count, counted, sizeText } from '../base/words.ts';
import type { WorkspaceAnswer } from '../../../wasm/views.ts';
import type { StorageFacts } from '../../../worker/workspace.ts';

interface Facts {
  counts: WorkspaceAnswer;
  storage: StorageFacts;
  /** Where shared tables are public; null without an edge. */
  edge: string | null;
}

export class StoragePage extends Page {
  static override properties = { chosen: { state: true }, ...Page.properties };
  /** A backup that waits for the person's word, since it replaces all tables. */
  declare private chosen: File | undefined;
  #facts = new Fetching<Facts>(this, 'Measuring');
  #exporting = new Fetching<boolean>(this, 'Writing the backup');
  #importing = new Fetching<unknown>(this, 'Reading the backup');

  override get heading(): string {
    return 'Storage';
  }

  protected override load(): void {
    const dropped = this.context.takeDropped();
    if (dropped) this.chosen = dropped;
    const { tables, workspace } = this.context;
    void this.#facts.run(async (options) => ({
      counts: await tables.counts(options),
      storage: await workspace.storage(),
      edge: await workspace.edge(),
    }));
  }

  override render() {
    const { value, error, bar } = this.#facts;
    return html`<div class="page">
      <h1>Storage</h1>
      <p class="quiet">${value ? whereabouts(value) : nothing}</p>
      ${bar} ${error ? refusalShown(error) : nothing} ${value ? this.#shown(value) : nothing}
    </div>`;
  }

  #shown({ counts, storage }: Facts) {
    const { usedBytes, availableBytes, persisted } = storage;
    return html`<dl class="measures">
        <div>
          <dt>Tables</dt>
          <dd>
            ${count(counts.tables)}${
              counts.trashed ? html` <span class="quiet">and ${count(counts.trashed)} in the trash</span>` : nothing
            }
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
      <p>
        <meter min="0" max=${usedBytes + availableBytes} value=${usedBytes} aria-label="Room used"></meter>
      </p>
      <p>
        ${sizeText(usedBytes)} used by this site, ${sizeText(availableBytes)} more to be had, as the browser estimates.
      </p>
      ${
        persisted
          ? html`<p class="good">The browser has promised not to remove the tables by itself.</p>`
          : html`<p>When the disk runs full, the browser may remove the tables by itself.</p>
              <p><button type="button" @click=${() => this.#persist()}>Ask the browser to keep them</button></p>`
      }
      ${this.#backup(counts, storage)}`;
  }

  #backup({ receipts, shares }: WorkspaceAnswer, { storeBytes, hasPrevious }: StorageFacts) {
    return html`<h2>Backup</h2>
      <p>
        All tables with all their versions as one file, ${sizeText(storeBytes)}. Drop it on Stele in another browser, or
        open it on a desk with <code>stele serve --file</code>.
      </p>
      <div class="actions">
        <button type="button" class="primary" ?disabled=${this.#exporting.isBusy} @click=${() => this.#export()}>
          Save a backup
        </button>
        <label class="button file-button">
          Bring one back
          <input type="file" class="unseen" @change=${(event: Event) => this.#choose(event)} />
        </label>
      </div>
      ${this.#exporting.bar} ${this.#exporting.error ? refusalShown(this.#exporting.error) : nothing}
      ${this.chosen ? this.#question(this.chosen) : nothing} ${this.#importing.bar}
      ${this.#importing.error ? refusalShown(this.#importing.error) : nothing}
      ${hasPrevious ? this.#previous() : nothing}
      <p class="quiet">
        ${counted(receipts, 'receipt')} and ${counted(shares, 'share')} are part of it; the key that signs receipts
        never leaves this browser.
      </p>`;
  }

  #question(file: File) {
    return html`<div class="note" role="alert">
      <span>
        <bdi>${file.name}</bdi>, ${sizeText(file.size)}, takes the place of all tables that are here now. They are kept
        beside it, so that you can change back.
      </span>
      <button type="button" class="primary" @click=${() => this.#import(file)}>Put it in place</button>
      <button type="button" @click=${() => (this.chosen = undefined)}>Leave it</button>
    </div>`;
  }

  #previous() {
    return html`<div class="note">
      <span>What was here before a backup was brought back, or an empty workspace begun, is kept.</span>
      <button type="button" @click=${() => this.#changeBack()}>Change back</button>
      <button type="button" @click=${() => this.#letGo()}>Let them go, for their space</button>
    </div>`;
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

  async #export(): Promise<void> {
    await this.#exporting.run(async () => {
      const { name, bytes } = await this.context.workspace.exportBackup();
      return saveStream(name, bytes);
    });
    if (this.#exporting.value && !this.#exporting.error) this.context.notify({ text: 'The backup is saved.' });
  }

  async #choose(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    field.value = '';
    if (!file) return;
    this.#importing.clear();
    if (await looksLikeBackup(file)) this.chosen = file;
    else
      this.context.notify({ text: `${file.name} is not a backup. To make a table of it, use Import.`, isError: true });
  }

  async #import(file: File): Promise<void> {
    this.chosen = undefined;
    const { workspace } = this.context;
    await this.#importing.run((options) => workspace.importBackup(file, options));
    if (this.#importing.error) return;
    this.load();
    this.context.notify({ text: 'The backup is in place.', undo: () => this.#changeBack() });
  }

  async #changeBack(): Promise<void> {
    await this.context.attempt(() => this.context.workspace.undoImport());
    this.load();
  }

  async #letGo(): Promise<void> {
    await this.context.attempt(() => this.context.workspace.discardPrevious());
    this.load();
  }
}

function whereabouts({ edge, counts: { shares } }: Facts): string {
  if (!edge || shares === 0) return 'Your tables lie in this browser, on this device, and nowhere else.';
  const shared = shares === 1 ? 'The one that is shared is' : `The ${count(shares)} that are shared are`;
  return `Your tables lie in this browser, on this device. ${shared} public at ${new URL(edge).host} too, in the latest version.`;
}

customElements.define('st-storage-page', StoragePage);

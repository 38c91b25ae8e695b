/** <st-table-menu>: what else can be done with a table: download, share in three ways, rename, move to the trash. */
import { html, nothing } from 'lit';
import { under } from '../../base.ts';
import { createRef, ref } from 'lit/directives/ref.js';
import { type TablePlace, tablePlace } from '../base/address.ts';
import { type AskTool, askFacts, type TableFacts } from '../../../wasm/table_facts.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import type { AppContext } from '../base/context.ts';
import { refusalShown, refusedOf } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import { copyLine } from '../base/shown.ts';
import type { Refused } from '../base/tables.ts';
import '../download/bundle_dialog.ts';
import type { BundleDialog } from '../download/bundle_dialog.ts';
import { allRows, type DownloadDialog } from '../download/download_dialog.ts';
import '../download/link_dialog.ts';
import type { LinkDialog, TableRows } from '../download/link_dialog.ts';
import { isSelection, type WantedRows, wantedRows } from './wanted_rows.ts';

interface Shared {
  url?: string;
  api_url?: string;
  note?: string;
  public_version: number;
}

export class TableMenu extends LightElement {
  static override properties = {
    context: { attribute: false },
    place: { attribute: false },
    latest: { attribute: false },
    rows: { attribute: false },
    shared: { state: true },
    refused: { state: true },
    isRenaming: { state: true },
  };
  declare context: AppContext;
  declare place: TablePlace;
  /** The table's latest version. */
  declare latest: number;
  /** Of the version that is shown. */
  declare rows: number;
  declare private shared: Shared | undefined;
  /** Why it cannot be shared from here. */
  declare private refused: Refused | undefined;
  declare private isRenaming: boolean;
  #menu = createRef<HTMLElement>();
  #dialog = createRef<HTMLDialogElement>();
  #download = createRef<DownloadDialog>();
  #link = createRef<LinkDialog>();
  #bundle = createRef<BundleDialog>();

  private get path(): string {
    return this.place.path;
  }

  override render() {
    return html`<button
        type="button"
        class="menu-button"
        aria-haspopup="menu"
        aria-label="More"
        @click=${(event: Event) => this.#open(event.currentTarget as HTMLElement)}
      >
        <span aria-hidden="true">…</span>
      </button>
      <div popover class="menu" role="menu" ${ref(this.#menu)}>
        <button type="button" role="menuitem" class="plain" @click=${() => this.#startDownload()}>Download…</button>
        <button type="button" role="menuitem" class="plain" @click=${() => this.#share()}>Share by link…</button>
        <button type="button" role="menuitem" class="plain" @click=${() => this.#startLink()}>Put into a link…</button>
        <button type="button" role="menuitem" class="plain" @click=${() => this.#startBundle()}>
          Bundle for a website…
        </button>
        <button type="button" role="menuitem" class="plain" @click=${() => this.#rename()}>Rename…</button>
        <button type="button" role="menuitem" class="plain" @click=${() => this.#delete()}>Move to the trash</button>
      </div>
      <dialog ${ref(this.#dialog)} aria-label=${this.isRenaming ? 'Rename' : 'Share by link'}>
        ${this.isRenaming ? this.#renameForm() : this.#sharing()}
      </dialog>
      <st-download-dialog
        .name=${this.place.version ? `${this.path}@${this.place.version}` : this.path}
        .choices=${this.#downloads()}
        ${ref(this.#download)}
      ></st-download-dialog>
      <st-link-dialog
        .context=${this.context}
        .choices=${this.#downloads()}
        .facts=${this.#facts}
        @st-bundle=${() => this.#startBundle()}
        ${ref(this.#link)}
      ></st-link-dialog>
      <st-bundle-dialog
        .name=${this.path}
        .choices=${this.#downloads()}
        .facts=${this.#facts}
        ${ref(this.#bundle)}
      ></st-bundle-dialog>`;
  }

  /** Of the version that is shown. */
  #facts = (): Promise<TableFacts> => {
    const { tables } = this.context;
    const ask: AskTool = (tool, args) => tables.tool(tool, args as JsonObject);
    return askFacts(ask, this.path, this.place.version ?? this.latest);
  };

  /** Of two dialogs one is open. */
  #leave(): void {
    this.#menu.value!.hidePopover();
    this.#dialog.value!.close();
  }

  #startDownload(): void {
    this.#menu.value!.hidePopover();
    void this.#download.value!.open();
  }

  #startLink(): void {
    this.#leave();
    void this.#link.value!.open();
  }

  #startBundle(): void {
    this.#leave();
    void this.#bundle.value!.open();
  }

  #downloads(): TableRows[] {
    const wanted = wantedRows(this.place, this.latest);
    const all = { table: wanted.table, version: wanted.version };
    const toSave = (what: string, rows: WantedRows, isPart: boolean): TableRows => ({
      ...{ what, isPart },
      pages: (options) => this.context.tables.pages(rows, options),
    });
    const whole = toSave(allRows(this.rows), all, false);
    const isPart = this.place.filters.length > 0 || this.place.search !== '';
    return isSelection(this.place) ? [toSave('Those that are shown, in this order', wanted, isPart), whole] : [whole];
  }

  #open(anchor: HTMLElement): void {
    const menu = this.#menu.value!;
    menu.showPopover();
    const at = anchor.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(at.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
    menu.style.top = `${at.bottom + 4}px`;
    menu.querySelector('button')?.focus();
  }

  async #share(): Promise<void> {
    this.#menu.value!.hidePopover();
    this.shared = this.refused = undefined;
    try {
      this.shared = await this.context.tables.tool<Shared>('share_table', { table: this.path });
    } catch (error) {
      this.refused = refusedOf(error);
    }
    this.isRenaming = false;
    await this.updateComplete;
    this.#dialog.value!.showModal();
  }

  #sharing() {
    if (this.shared) return this.#sharedShown(this.shared);
    if (!this.refused) return nothing;
    const { kind, message, hint } = this.refused;
    return html`<h2>Not shared</h2>
      <p>${message}</p>
      <p class="quiet">${hint}</p>
      <form method="dialog" class="actions">
        ${
          kind === 'share_unavailable'
            ? html`<a class="button primary" href=${under('shares')} @click=${() => this.#leave()}>Connect an edge</a>
                <button type="button" @click=${() => this.#startLink()}>Put into a link…</button>
                <button type="button" @click=${() => this.#startBundle()}>Bundle for a website…</button>`
            : nothing
        }
        <button>Close</button>
      </form>`;
  }

  #sharedShown({ url, api_url, note, public_version }: Shared) {
    return html`<h2>Shared by link</h2>
      <p>
        Whoever has the link sees the latest version, now ${public_version}, without signing in. Older versions stay
        private.
      </p>
      ${url ? copyLine(url, 'the link', this.context) : nothing}
      ${
        api_url
          ? html`<p class="quiet">As rows for a program:</p>
              ${copyLine(api_url, 'the address for programs', this.context)}`
          : nothing
      }
      ${note ? html`<p class="quiet">${note}</p>` : nothing}
      <p class="quiet">
        You can end it under <a href=${under('shares')} @click=${() => this.#dialog.value!.close()}>Shares</a>; what
        others have downloaded by then stays with them.
      </p>
      <form method="dialog" class="actions"><button class="primary">Done</button></form>`;
  }

  async #rename(): Promise<void> {
    this.#menu.value!.hidePopover();
    this.isRenaming = true;
    this.refused = undefined;
    await this.updateComplete;
    this.#dialog.value!.showModal();
    this.#dialog.value!.querySelector('input')!.select();
  }

  #renameForm() {
    return html`<form @submit=${(event: SubmitEvent) => this.#saveName(event)}>
      <h2>Rename</h2>
      <label>New path<input name="path" autocomplete="off" spellcheck="false" .value=${this.path} required /></label>
      <p class="quiet">
        Folders are part of the path: <code>research/2026/competitors</code>. Queries that name the old path need the
        new one.
      </p>
      ${this.refused ? refusalShown(this.refused) : nothing}
      <div class="actions">
        <button type="submit" class="primary">Rename</button>
        <button type="button" @click=${() => this.#dialog.value!.close()}>Cancel</button>
      </div>
    </form>`;
  }

  async #saveName(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const to = String(new FormData(event.target as HTMLFormElement).get('path')).trim();
    const from = this.path;
    if (to === from) return this.#dialog.value!.close();
    const { tables } = this.context;
    const rename = (table: string, rename_to: string) => tables.tool('update_table_info', { table, rename_to });
    try {
      await rename(from, to);
    } catch (error) {
      this.refused = refusedOf(error);
      return;
    }
    this.#dialog.value!.close();
    this.context.notify({
      text: `Renamed to ${to}.`,
      undo: async () => {
        await rename(to, from);
        this.context.go(tablePlace(from));
      },
    });
    this.context.go(tablePlace(to));
  }

  async #delete(): Promise<void> {
    this.#menu.value!.hidePopover();
    const { tables } = this.context;
    const { path, latest: version } = this;
    let hadShare = false;
    const isDone = await this.context.attempt(async () => {
      const { share_ended } = await tables.tool<{ share_ended: boolean }>('delete_table', { table: path });
      hadShare = share_ended;
    });
    if (!isDone) return;
    this.context.notify({
      text: `${path} is in the trash.${hadShare ? ' Its public link has ended and does not come back.' : ''}`,
      undo: async () => {
        await tables.restore(path, version);
        this.context.go(tablePlace(path));
      },
    });
    this.context.go({ page: 'tables', folder: '', search: '' });
  }
}

customElements.define('st-table-menu', TableMenu);

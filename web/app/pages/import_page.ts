/** <st-import-page>: a file, a paste or an address becomes a table, after its types and warnings were seen. */
import { html, nothing } from 'lit';
import { hrefOf, type Place, tablePlace } from '../base/address.ts';
import { Fetching, type FetchingOptions, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { warningsShown } from '../base/shown.ts';
import type { Written } from '../../../wasm/answers.ts';
import { count, counted, sizeText } from '../base/words.ts';
import { type Incoming, nameOf, pastedFile, pathFor } from '../import/incoming.ts';
import { type Inspection, type ReadOptions, readingText } from '../import/inspection.ts';
import { previewShown } from '../import/preview.ts';
import '../import/reading_form.ts';
import type { JsonObject } from '../../../wasm/instance.ts';

type ImportPlace = Extract<Place, { page: 'import' }>;
type Mode = 'create' | 'append' | 'upsert' | 'replace';

const modeWords: Record<Mode, string> = {
  create: 'a new table',
  append: 'more rows of a table',
  upsert: 'rows that update a table by key',
  replace: 'the new contents of a table',
};

export class ImportPage extends Page<ImportPlace> {
  static override properties = { incoming: { state: true }, mode: { state: true }, ...Page.properties };
  declare private incoming: Incoming | undefined;
  declare private mode: Mode;
  #url = '';
  #options: ReadOptions = {};
  #inspection = new Fetching<Inspection>(this, 'Looking at the file');
  #importing = new Fetching<Written>(this, 'Importing');

  constructor() {
    super();
    this.mode = 'create';
  }

  override get heading(): string {
    return 'Import';
  }

  protected override load(isChange: boolean): void {
    if (isChange) return;
    const dropped = this.context.takeDropped();
    if (dropped) this.#take({ kind: 'file', file: dropped });
    else if (this.place.url) this.#take({ kind: 'url', url: this.place.url });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('paste', this.#onPaste);
  }

  override disconnectedCallback(): void {
    document.removeEventListener('paste', this.#onPaste);
    super.disconnectedCallback();
  }

  #onPaste = (event: ClipboardEvent): void => {
    if ((event.target as Element).closest?.('input, textarea')) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file) this.#take({ kind: 'file', file });
    else if (text.trim()) this.#take({ kind: 'file', file: pastedFile(text) });
  };

  #take(incoming: Incoming): void {
    this.incoming = incoming;
    this.#url = incoming.kind === 'url' ? incoming.url : this.context.workspace.urlOf(incoming.file);
    this.#options = {};
    this.#importing.clear();
    this.#inspection.clear();
    this.#inspect();
  }

  #inspect(): void {
    void this.#inspection.run((options) => this.#ask<Inspection>('inspect_file', {}, options));
  }

  /** The file and how it is read are told alike to both tools. */
  #ask<T>(tool: string, args: JsonObject, options: FetchingOptions): Promise<T> {
    const trusted = this.incoming?.kind === 'file';
    const told = { ...args, ...this.#options, source_url: this.#url };
    return this.context.tables.tool(tool, told, { ...options, trusted });
  }

  override render() {
    return html`<div class="page import-page">
      <h1>Import</h1>
      ${this.incoming ? this.#chosen(this.incoming) : this.#choices()}
    </div>`;
  }

  #choices() {
    return html`<div class="drop-zone">
        <p class="lead">Drop a file here, or anywhere in Stele.</p>
        <p class="quiet">
          CSV, TSV, JSON, NDJSON, Parquet or Excel, also with gzip, up to 2 GB. It stays on this device.
        </p>
        <label class="button primary file-button">
          Choose a file
          <input
            type="file"
            class="unseen"
            accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,.parquet,.xlsx,.gz"
            @change=${(event: Event) => this.#choose(event)}
          />
        </label>
      </div>
      <div class="import-ways">
        <form @submit=${(event: SubmitEvent) => this.#fromUrl(event)}>
          <label
            >Or an address on the web<input name="url" type="url" placeholder="https://…" required autocomplete="off"
          /></label>
          <button type="submit">Look at it</button>
        </form>
        <form @submit=${(event: SubmitEvent) => this.#fromText(event)}>
          <label
            >Or pasted rows<textarea
              name="text"
              rows="5"
              placeholder="name,price&#10;flat white,3.60"
              spellcheck="false"
              required
            ></textarea>
          </label>
          <button type="submit">Look at them</button>
        </form>
      </div>`;
  }

  #choose(event: Event): void {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) this.#take({ kind: 'file', file });
  }

  #fromUrl(event: SubmitEvent): void {
    event.preventDefault();
    const url = String(new FormData(event.target as HTMLFormElement).get('url'));
    this.context.go({ page: 'import', url });
  }

  #fromText(event: SubmitEvent): void {
    event.preventDefault();
    this.#take({ kind: 'file', file: pastedFile(String(new FormData(event.target as HTMLFormElement).get('text'))) });
  }

  #chosen(incoming: Incoming) {
    const { value, error, bar } = this.#inspection;
    const done = this.#importing.value;
    return html`<p class="facts">
        <span><bdi>${nameOf(incoming)}</bdi></span>
        ${incoming.kind === 'file' ? html`<span>${sizeText(incoming.file.size)}</span>` : nothing}
        ${value ? html`<span>${readingText(value)}</span><span>${counted(value.row_count, 'row')}</span>` : nothing}
        <button type="button" class="plain" @click=${() => this.#again()}>Take another</button>
      </p>
      ${bar} ${error ? refusalShown(error) : nothing}
      ${done ? this.#doneShown(done) : error || !value ? nothing : this.#form(incoming, value)}
      ${!done && value ? this.#read(value) : nothing}`;
  }

  #read(inspection: Inspection) {
    return html`<st-reading-form
        .format=${inspection.format}
        .options=${this.#options}
        @st-reading=${({ detail }: CustomEvent<ReadOptions>) => this.#readAs(detail)}
      ></st-reading-form>
      ${previewShown(inspection)}`;
  }

  #readAs(options: ReadOptions): void {
    this.#options = options;
    this.#inspect();
    this.requestUpdate();
  }

  #form(incoming: Incoming, { row_count: rows, malformed_rows: { count: malformed } }: Inspection) {
    const { bar, error, isBusy } = this.#importing;
    return html`<form class="import-form" @submit=${(event: SubmitEvent) => this.#import(event, malformed)}>
        <label
          >Import as
          <select
            name="mode"
            @change=${(event: Event) => (this.mode = (event.target as HTMLSelectElement).value as Mode)}
          >
            ${Object.entries(modeWords).map(([mode, words]) => html`<option value=${mode} ?selected=${mode === this.mode}>${words}</option>`)}
          </select>
        </label>
        <label
          >Path<input name="table" required autocomplete="off" spellcheck="false" value=${pathFor(incoming)}
        /></label>
        ${
          this.mode === 'upsert'
            ? html`<label
                >Key columns<input name="keys" required autocomplete="off" spellcheck="false" placeholder="id"
              /></label>`
            : nothing
        }
        <label class="grow"
          >Why, for the history<input name="message" autocomplete="off" placeholder="optional"
        /></label>
        ${
          malformed > 0
            ? html`<label class="inline skip-malformed"
                ><input type="checkbox" required />Leave out ${counted(malformed, 'malformed row')}</label
              >`
            : nothing
        }
        <button type="submit" class="primary" ?disabled=${isBusy || this.#inspection.isBusy}>
          Import ${counted(rows, 'row')}
        </button>
      </form>
      ${bar} ${error ? refusalShown(error) : nothing}`;
  }

  #import(event: SubmitEvent, malformed: number): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const message = String(given.get('message')).trim();
    const args: JsonObject = {
      table: String(given.get('table')).trim(),
      mode: this.mode,
      ...(this.mode === 'upsert' ? { key_columns: namesIn(String(given.get('keys'))) } : {}),
      ...(message ? { message } : {}),
      ...(malformed > 0 ? { malformed_rows_to_skip: malformed } : {}),
    };
    void this.#importing.run((options) => this.#ask('import_table', args, options));
  }

  #doneShown(written: Written) {
    const { table, version, rows, added, warnings } = written;
    return html`<div class="note" role="status">
        <span
          >${counted(added, 'row')} imported into <a href=${hrefOf(tablePlace(table))}>${table}</a>, version ${version},
          now ${count(rows)} rows.</span
        >
        <button type="button" @click=${() => this.#undo(written)}>Undo</button>
      </div>
      ${
        warnings.length
          ? html`<h2>${counted(warnings.length, 'warning')}</h2>
              ${warningsShown(warnings)}`
          : nothing
      }
      <p><a class="button primary" href=${hrefOf(tablePlace(table))}>Open the table</a></p>`;
  }

  async #undo(written: Written): Promise<void> {
    let text = '';
    const undo = async () => (text = await this.context.tables.undoWrite(written, 'Undo of an import'));
    if (!(await this.context.attempt(undo))) return;
    this.context.notify({ text });
    this.#importing.clear();
    this.requestUpdate();
  }

  #again(): void {
    this.incoming = undefined;
    this.#inspection.clear();
    this.#importing.clear();
    this.context.go({ page: 'import', url: '' });
  }
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

customElements.define('st-import-page', ImportPage);

/** <st-import-page>: a file, a paste or an address becomes a table, after its types and warnings were seen. */
import { html, nothing } from 'lit';
import { hrefOf, type Place, tablePlace } from '../base/address.ts';
import { Fetching, type FetchingOptions, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { warningsShown } from '../base/shown.ts';
import { Refused, type Written } from '../base/tables.ts';
import { cellText, count, counted, kindOf, sizeText, typeWord } from '../base/words.ts';
import { type Incoming, nameOf, pastedFile, pathFor } from '../import/incoming.ts';
import { type Inspection, inspectionOf } from '../import/inspection.ts';
import type { JsonObject } from '../../../wasm/instance.ts';

type ImportPlace = Extract<Place, { page: 'import' }>;
type Mode = 'create' | 'append' | 'replace';

const modeWords: Record<Mode, string> = {
  create: 'a new table',
  append: 'more rows of a table',
  replace: 'the new contents of a table',
};
const sampleShown = 8;

export class ImportPage extends Page<ImportPlace> {
  static override properties = { incoming: { state: true }, mode: { state: true }, ...Page.properties };
  declare private incoming: Incoming | undefined;
  declare private mode: Mode;
  #inspection = new Fetching<Inspection | undefined>(this, 'Looking at the file');
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
    this.#importing.clear();
    this.#inspection.clear();
    void this.#inspection.run((options) => this.#inspect(incoming, options));
  }

  /** Undefined where this home cannot look into files before it imports them. */
  async #inspect(incoming: Incoming, options: FetchingOptions): Promise<Inspection | undefined> {
    const { workspace, tables } = this.context;
    const { tools } = await workspace.tools();
    if (!tools.some(({ name }) => name === 'inspect_file')) return undefined;
    const url = incoming.kind === 'url' ? incoming.url : workspace.urlOf(incoming.file);
    const trusted = incoming.kind === 'file';
    return inspectionOf(await tables.tool<JsonObject>('inspect_file', { source_url: url }, { ...options, trusted }));
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
    const { value, error, bar, isBusy } = this.#inspection;
    const done = this.#importing.value;
    return html`<p class="facts">
        <span><bdi>${nameOf(incoming)}</bdi></span>
        ${incoming.kind === 'file' ? html`<span>${sizeText(incoming.file.size)}</span>` : nothing}
        ${value ? this.#inspectedFacts(value) : nothing}
        <button type="button" class="plain" @click=${() => this.#again()}>Take another</button>
      </p>
      ${bar} ${error ? refusalShown(error) : nothing}
      ${done ? this.#doneShown(done) : !isBusy && !error ? this.#form(incoming, value) : nothing}
      ${!done && value ? this.#preview(value) : nothing}`;
  }

  #inspectedFacts({ format, dialect, rows, malformed }: Inspection) {
    return html`${format ? html`<span>${[format, ...dialect].join(', ')}</span>` : nothing}
    ${rows === undefined ? nothing : html`<span>${counted(rows, 'row')}</span>`}
    ${malformed ? html`<span class="bad">${counted(malformed, 'malformed row')}</span>` : nothing}`;
  }

  #form(incoming: Incoming, inspection: Inspection | undefined) {
    const { bar, error, isBusy } = this.#importing;
    return html`<form class="import-form" @submit=${(event: SubmitEvent) => this.#import(event, incoming)}>
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
        <label class="grow"
          >Why, for the history<input name="message" autocomplete="off" placeholder="optional"
        /></label>
        <button type="submit" class="primary" ?disabled=${isBusy}>
          Import${inspection?.rows === undefined ? '' : ` ${counted(inspection.rows, 'row')}`}
        </button>
      </form>
      ${bar} ${error ? refusalShown(error) : nothing}
      ${inspection ? nothing : html`<p class="quiet">The types are told after the import, which can be undone.</p>`}`;
  }

  #preview({ columns, sample, warnings }: Inspection) {
    return html`${
        warnings.length
          ? html`<h2>Before you import</h2>
              ${warningsShown(warnings)}`
          : nothing
      }
      <h2>${counted(columns.length, 'column')} as they would be stored</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Preview">
        <table class="preview">
          <thead>
            <tr>
              ${columns.map(
                ({ name, type, note }) =>
                  html`<th scope="col" data-kind=${kindOf(type)} title=${note ?? type}>
                    <bdi>${name}</bdi><small>${typeWord(type)}</small>
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${sample.slice(0, sampleShown).map(
              (row) =>
                html`<tr>
                  ${columns.map(({ type }, x) =>
                    row[x] === null || row[x] === undefined
                      ? html`<td data-kind=${kindOf(type)}><span class="null">null</span></td>`
                      : html`<td data-kind=${kindOf(type)}><bdi>${cellText(row[x])}</bdi></td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }

  #import(event: SubmitEvent, incoming: Incoming): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const message = String(given.get('message')).trim();
    const args: JsonObject = {
      table: String(given.get('table')).trim(),
      mode: this.mode,
      ...(message ? { message } : {}),
    };
    const { workspace, tables } = this.context;
    void this.#importing.run(async (options) => {
      if (incoming.kind === 'url')
        return tables.tool<Written>('import_table', { ...args, source_url: incoming.url }, options);
      const { value, isError } = await workspace.importFile(incoming.file, args, tables.caller, options);
      if (isError) throw new Refused(value);
      return value as unknown as Written;
    });
  }

  #doneShown({ table, version, rows, added, warnings }: Written) {
    return html`<div class="note" role="status">
        <span
          >${counted(added, 'row')} imported into <a href=${hrefOf(tablePlace(table))}>${table}</a>, version ${version},
          now ${count(rows)} rows.</span
        >
        <button type="button" @click=${() => this.#undo(table, version)}>Undo</button>
      </div>
      ${
        warnings.length
          ? html`<h2>${counted(warnings.length, 'warning')}</h2>
              ${warningsShown(warnings)}`
          : nothing
      }
      <p><a class="button primary" href=${hrefOf(tablePlace(table))}>Open the table</a></p>`;
  }

  async #undo(table: string, version: number): Promise<void> {
    const { tables } = this.context;
    const isDone = await this.context.attempt(() =>
      version === 1 ? tables.tool('delete_table', { table }) : tables.restore(table, version - 1, 'Undo of an import'),
    );
    if (!isDone) return;
    this.context.notify({ text: version === 1 ? `${table} is in the trash.` : `${table} is as it was before.` });
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

customElements.define('st-import-page', ImportPage);

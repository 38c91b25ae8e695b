/** <st-query-page>: the console: one SELECT, its rows, and what can be made of them: a table or a receipt. */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { hrefOf, type Place, tablePlace } from '../base/address.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { copyLine, pathShown, warningsShown } from '../base/shown.ts';
import { mistakeOf } from '../base/sql_error.ts';
import type { Refused } from '../base/tables.ts';
import type { QueryAnswer, Written } from '../../../wasm/answers.ts';
import { count, counted } from '../base/words.ts';
import { allRows, type DownloadDialog } from '../download/download_dialog.ts';
import type { KnownTables } from '../editor/completion.ts';
import '../editor/sql_editor.ts';
import type { SqlEditor } from '../editor/sql_editor.ts';
import type { GridModel } from '../grid/grid.ts';
import '../grid/grid_view.ts';
import { sourceOf } from '../grid/row_source.ts';

type QueryPlace = Extract<Place, { page: 'query' }>;

interface Result {
  answer: QueryAnswer;
  model: GridModel;
  sql: string;
  seconds: number;
}

const rowsMax = 500;

export class QueryPage extends Page<QueryPlace> {
  #result = new Fetching<Result>(this, 'Running the query');
  #saving = new Fetching<Written>(this, 'Saving the result');
  #receipt = new Fetching<QueryAnswer>(this, 'Making the receipt');
  #editor = createRef<SqlEditor>();
  #download = createRef<DownloadDialog>();
  #ran = '';
  #known: KnownTables | undefined;

  override get heading(): string {
    return 'Query';
  }

  protected override load(isChange: boolean): void {
    if (isChange) {
      this.#known = undefined;
      return;
    }
    void this.updateComplete.then(() => {
      const editor = this.#editor.value!;
      const { sql } = this.place;
      if (sql && sql !== editor.text) editor.text = sql;
      if (sql && sql !== this.#ran) void this.#run(sql);
      if (!sql) editor.focus();
    });
  }

  override render() {
    const { value, error, bar, isBusy } = this.#result;
    return html`<div class="page query-page">
      <h1>Query</h1>
      <div class="editor-box">
        <st-sql-editor
          .tables=${this.#knownTables()}
          .onRun=${() => this.#start()}
          ${ref(this.#editor)}
        ></st-sql-editor>
        <div class="editor-tools">
          <button type="button" class="primary" ?disabled=${isBusy} @click=${() => this.#start()}>Run</button>
          <span class="quiet"
            >Ctrl Enter. One SELECT; paths in double quotes: <code>"folder/table"</code>,
            <code>"folder/table@3"</code> for version 3.</span
          >
        </div>
      </div>
      ${bar} ${error ? this.#mistake(error) : nothing} ${value && !error ? this.#shown(value) : nothing}
    </div>`;
  }

  /** Names for completion, asked for when they are first needed. */
  #knownTables(): KnownTables {
    const { tables } = this.context;
    let paths: Promise<string[]> | undefined;
    const columns = new Map<string, Promise<string[]>>();
    this.#known ??= {
      paths: () => (paths ??= tables.list({}).then((listed) => listed.tables.map(({ path }) => path))),
      columns: (path) => {
        const known =
          columns.get(path) ??
          tables
            .rows({ table: path, limit: 0 })
            .then((read) => read.columns.map(({ name }) => name))
            .catch(() => []);
        columns.set(path, known);
        return known;
      },
    };
    return this.#known;
  }

  #start(): void {
    const sql = this.#editor.value!.text.trim();
    if (!sql) return;
    this.#ran = '';
    this.context.go({ page: 'query', sql });
  }

  async #run(sql: string): Promise<void> {
    this.#ran = sql;
    this.#saving.clear();
    this.#receipt.clear();
    this.#editor.value!.mark(undefined);
    const began = performance.now();
    await this.#result.run(async (options) => {
      const answer = await this.context.tables.tool<QueryAnswer>('query', { sql, limit: rowsMax }, options);
      const model: GridModel = {
        label: 'Result',
        subject: `${sql} ${began}`,
        columns: answer.columns,
        source: sourceOf(answer.rows),
      };
      return { answer, model, sql, seconds: (performance.now() - began) / 1000 };
    });
    const { error } = this.#result;
    if (error?.kind === 'sql_error') this.#editor.value?.mark(mistakeOf(error.message, sql).at);
  }

  #mistake(error: Refused) {
    const { message, at } = mistakeOf(error.message, this.#ran);
    if (!at) return refusalShown(error);
    const line = this.#ran.split('\n')[at.line - 1] ?? '';
    return html`<div class="refusal" role="alert">
      <p>${message}</p>
      <pre class="pointed" aria-hidden="true">
${line}
${' '.repeat(at.column)}^</pre>
      <p class="quiet">Line ${at.line}, column ${at.column + 1}. ${error.hint}</p>
    </div>`;
  }

  #shown({ answer, model, sql, seconds }: Result) {
    const { row_count: rows, truncated, reads } = answer;
    return html`<p class="facts">
        <span role="status"
          >${truncated ? html`The first ${counted(answer.rows.length, 'row')}` : counted(rows, 'row')}</span
        >
        ${
          reads.length
            ? html`<span
                >read
                ${reads.map(
                  ({ table, version }, i) =>
                    html`${i ? ', ' : ' '}<a href=${hrefOf(tablePlace(table, { version }))}
                        >${pathShown(table)}@${version}</a
                      >`,
                )}</span
              >`
            : nothing
        }
        <span class="elapsed"
          >${seconds < 0.0995 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`}</span
        >
      </p>
      ${truncated ? html`<p class="quiet">There are more rows than the ${count(rowsMax)} that are shown here. Save the result as a table to see or download all of them.</p>` : nothing}
      <st-grid-view .model=${model}></st-grid-view>
      <div class="result-tools">
        <form @submit=${(event: SubmitEvent) => this.#save(event, sql)}>
          <label class="inline"
            >Save as <input name="path" placeholder="folder/table" autocomplete="off" spellcheck="false" required
          /></label>
          <button type="submit" ?disabled=${this.#saving.isBusy}>Save as table</button>
        </form>
        <div class="actions">
          <button type="button" ?disabled=${this.#receipt.isBusy} @click=${() => this.#issue(sql)}>
            Make a receipt
          </button>
          ${truncated ? nothing : html`<button type="button" @click=${() => void this.#download.value!.open()}>Download…</button>`}
        </div>
      </div>
      ${truncated ? nothing : this.#downloading(answer)} ${this.#saving.bar}
      ${this.#saving.error ? refusalShown(this.#saving.error) : nothing} ${this.#savedShown()} ${this.#receipt.bar}
      ${this.#receipt.error ? refusalShown(this.#receipt.error) : nothing} ${this.#receiptShown()}`;
  }

  #downloading({ columns, rows }: QueryAnswer) {
    const pages = async function* () {
      yield { columns, rows };
    };
    return html`<st-download-dialog
      .name=${'result'}
      .choices=${[{ what: allRows(rows.length), pages }]}
      ${ref(this.#download)}
    ></st-download-dialog>`;
  }

  #save(event: SubmitEvent, sql: string): void {
    event.preventDefault();
    const path = String(new FormData(event.target as HTMLFormElement).get('path')).trim();
    void this.#saving.run((options) => this.context.tables.tool<Written>('query', { sql, save_as: path }, options));
  }

  #savedShown() {
    const { value, error } = this.#saving;
    if (!value || error) return nothing;
    return html`<div class="note" role="status">
        <span
          >Saved ${counted(value.rows, 'row')} as <a href=${hrefOf(tablePlace(value.table))}>${value.table}</a>, version
          ${value.version}.</span
        >
        <button type="button" @click=${() => this.#undoSaving(value)}>Undo</button>
      </div>
      ${warningsShown(value.warnings)}`;
  }

  async #undoSaving(written: Written): Promise<void> {
    let text = '';
    const undo = async () => (text = await this.context.tables.undoWrite(written, 'Undo of a saved query'));
    if (!(await this.context.attempt(undo))) return;
    this.context.notify({ text });
    this.#saving.clear();
    this.requestUpdate();
  }

  #issue(sql: string): void {
    void this.#receipt.run((options) =>
      this.context.tables.tool<QueryAnswer>('query', { sql, limit: rowsMax, receipt: true }, options),
    );
  }

  #receiptShown() {
    const receipt = this.#receipt.value?.receipt;
    if (!receipt) return nothing;
    return html`<div class="note receipt-note" role="status">
      <p>A receipt of this result: SQL, versions and rows, the same for good. Whoever has the link sees them.</p>
      ${receipt.url ? copyLine(receipt.url, "the receipt's link", this.context) : nothing}
      ${receipt.note ? html`<p class="quiet">${receipt.note}</p>` : nothing}
      <p><a href=${hrefOf({ page: 'receipt', id: receipt.id })}>Open the receipt</a></p>
    </div>`;
  }
}

customElements.define('st-query-page', QueryPage);

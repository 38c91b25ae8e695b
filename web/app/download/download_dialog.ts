/** <st-download-dialog>: rows as a file: for programs or for a spreadsheet, and all of a table or those that are shown. */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { CallOptions } from '../../../wasm/core.ts';
import { saveStream } from '../base/download.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import { counted } from '../base/words.ts';
import { type Choice, choiceField, rowsField } from './choices.ts';
import { csvFile, type CsvKind, csvName, type RowsPage } from './csv_file.ts';

const kinds: Choice[] = [
  {
    value: 'exact',
    title: 'CSV, exact',
    about: 'For programs, and to be imported again: every value as it is stored.',
  },
  {
    value: 'spreadsheet',
    title: 'CSV for spreadsheets',
    about: 'Text that would run as a formula, since it begins with = + - or @, gets an apostrophe in front.',
  },
];

/** Rows that can be had as a file. */
export interface RowsToSave {
  /** Which they are, beside others to choose from. */
  what: string;
  pages(options: CallOptions): AsyncIterable<RowsPage>;
}

export class DownloadDialog extends LightElement {
  static override properties = { name: { attribute: false }, choices: { attribute: false } };
  /** What the file is named after. */
  declare name: string;
  declare choices: RowsToSave[];
  #dialog = createRef<HTMLDialogElement>();
  #saving = new Fetching<boolean>(this, 'Writing the file');

  async open(): Promise<void> {
    this.#saving.clear();
    this.requestUpdate();
    await this.updateComplete;
    this.#dialog.value!.showModal();
  }

  override render() {
    const { bar, error, isBusy } = this.#saving;
    return html`<dialog aria-label="Download" @close=${() => this.#saving.cancel()} ${ref(this.#dialog)}>
      <form @submit=${(event: SubmitEvent) => void this.#save(event)}>
        <h2>Download</h2>
        ${rowsField(this.choices)} ${choiceField('Format', 'kind', kinds)} ${bar}
        ${error ? refusalShown(error) : nothing}
        <div class="actions">
          <button type="submit" class="primary" ?disabled=${isBusy}>Download</button>
          <button type="button" @click=${() => this.#dialog.value!.close()}>Cancel</button>
        </div>
      </form>
    </dialog>`;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const choice = this.choices[Number(given.get('rows') ?? 0)]!;
    const isDone = await this.#saving.run((options) =>
      saveStream(csvName(this.name), csvFile(choice.pages(options), given.get('kind') as CsvKind)),
    );
    if (isDone) this.#dialog.value!.close();
  }
}

customElements.define('st-download-dialog', DownloadDialog);

declare global {
  interface HTMLElementTagNameMap {
    'st-download-dialog': DownloadDialog;
  }
}

/** How a choice names its rows, e.g. All 1,200 rows. */
export function allRows(rows: number): string {
  return rows === 1 ? 'The one row' : `All ${counted(rows, 'row')}`;
}

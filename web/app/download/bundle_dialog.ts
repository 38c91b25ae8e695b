/** <st-bundle-dialog>: a table as a folder for any static host, in one archive. */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { TableFacts } from '../../../wasm/table_facts.ts';
import { saveStream } from '../base/download.ts';
import { Fetching, type FetchingOptions, refusalShown } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import { rowsField } from './choices.ts';
import type { TableRows } from './link_dialog.ts';

export class BundleDialog extends LightElement {
  static override properties = {
    name: { attribute: false },
    choices: { attribute: false },
    facts: { attribute: false },
    isOpen: { state: true },
  };
  /** The table's path. */
  declare name: string;
  declare choices: TableRows[];
  declare facts: () => Promise<TableFacts>;
  declare private isOpen: boolean;
  #dialog = createRef<HTMLDialogElement>();
  #saving = new Fetching<boolean>(this, 'Writing the bundle');

  async open(): Promise<void> {
    this.#saving.clear();
    this.isOpen = true;
    await this.updateComplete;
    this.#dialog.value!.showModal();
  }

  override render() {
    return html`<dialog aria-label="Bundle for a website" @close=${() => this.#onClose()} ${ref(this.#dialog)}>
      ${this.isOpen ? this.#form() : nothing}
    </dialog>`;
  }

  #onClose(): void {
    this.#saving.cancel();
    this.isOpen = false;
  }

  #form() {
    const { bar, error, isBusy } = this.#saving;
    return html`<form @submit=${(event: SubmitEvent) => void this.#save(event)}>
      <h2>Bundle for a website</h2>
      <p>
        A folder, as a ZIP file: a page with the rows, which works on any static host and needs no Stele there. The rows
        lie in it as Parquet.
      </p>
      ${rowsField(this.choices)}
      <p class="quiet">It follows no later change. What others have downloaded from your site stays with them.</p>
      ${bar} ${error ? refusalShown(error) : nothing}
      <div class="actions">
        <button type="submit" class="primary" ?disabled=${isBusy}>Save the bundle</button>
        <button type="button" @click=${() => this.#dialog.value!.close()}>Cancel</button>
      </div>
    </form>`;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const choice = this.choices[Number(given.get('rows') ?? 0)]!;
    const isDone = await this.#saving.run((options) => this.#write(choice, options));
    if (isDone) this.#dialog.value!.close();
  }

  async #write({ isPart, pages }: TableRows, options: FetchingOptions): Promise<boolean> {
    const [{ bundle, bundleName }, { zipped }, { files }] = await Promise.all([
      import('../../bundle/bundle.ts'),
      import('../../bundle/zip.ts'),
      import('virtual:bundle-files'),
    ]);
    const { facts } = this;
    async function* contents() {
      yield* bundle({ facts: await facts(), isPart, pages: pages(options), files });
    }
    const folder = bundleName(this.name);
    // At once, since a browser lets a place be chosen for a few seconds after the click.
    return saveStream(`${folder}.zip`, zipped(folder, contents()));
  }
}

customElements.define('st-bundle-dialog', BundleDialog);

declare global {
  interface HTMLElementTagNameMap {
    'st-bundle-dialog': BundleDialog;
  }
}

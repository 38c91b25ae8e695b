/** <st-link-dialog>: a link that carries the rows themselves, for tables so small that they fit one. */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { TableFacts } from '../../../wasm/table_facts.ts';
import { baseAddress } from '../../base.ts';
import type { AppContext } from '../base/context.ts';
import { Fetching, type FetchingOptions, refusalShown } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import { Refused } from '../base/tables.ts';
import { count } from '../base/words.ts';
import { rowsField } from './choices.ts';
import type { RowsToSave } from './download_dialog.ts';

/** Rows of one table at one version. */
export interface TableRows extends RowsToSave {
  /** Whether they are some of the version's and not all of them. */
  isPart: boolean;
}

interface Made {
  link: string;
  version: number;
  /** Messengers that take no message of that length. */
  tooShort: string[];
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });

export class LinkDialog extends LightElement {
  static override properties = {
    context: { attribute: false },
    choices: { attribute: false },
    facts: { attribute: false },
    isOpen: { state: true },
    isCopied: { state: true },
  };
  declare context: AppContext;
  declare choices: TableRows[];
  declare facts: () => Promise<TableFacts>;
  declare private isOpen: boolean;
  /** Said here, since notices lie behind the dialog. */
  declare private isCopied: boolean;
  #dialog = createRef<HTMLDialogElement>();
  #making = new Fetching<Made>(this, 'Packing the rows');

  async open(): Promise<void> {
    this.#making.clear();
    this.isOpen = true;
    await this.updateComplete;
    this.#dialog.value!.showModal();
    this.#start();
  }

  override render() {
    return html`<dialog aria-label="Put into a link" @close=${() => this.#onClose()} ${ref(this.#dialog)}>
      ${this.isOpen ? this.#form() : nothing}
    </dialog>`;
  }

  #onClose(): void {
    this.#making.cancel();
    this.isOpen = false;
  }

  #form() {
    const { bar, error, value } = this.#making;
    return html`<form method="dialog" @change=${() => this.#start()}>
      <h2>Put into a link</h2>
      ${rowsField(this.choices)} ${bar} ${error ? refusalShown(error) : nothing}
      ${value && !error ? this.#made(value) : nothing}
      <div class="actions">
        ${
          error?.kind === 'link_too_long'
            ? html`<button type="button" class="primary" @click=${() => this.#toBundle()}>Bundle for a website…</button>
                <button>Close</button>`
            : html`<button class="primary">Done</button>`
        }
      </div>
    </form>`;
  }

  #made({ link, version, tooShort }: Made) {
    return html`<div class="link-made">
        <label>The link, rows and all<input readonly .value=${link} @focus=${selectAll} /></label>
        <button type="button" @click=${() => this.#copy(link)}>${this.isCopied ? 'Copied' : 'Copy'}</button>
        <a class="button" href=${link} target="_blank">Open</a>
      </div>
      <p class="unseen" role="status">${this.isCopied ? 'Copied.' : nothing}</p>
      <p>
        Whoever has the link has the rows, as of version ${version}. It follows no later change and cannot be recalled.
      </p>
      <p class="quiet">
        ${count(link.length)} characters, sent to no server when it is opened.
        ${tooShort.length ? `Too long for a message on ${either.format(tooShort)}.` : nothing}
      </p>`;
  }

  async #copy(link: string): Promise<void> {
    this.isCopied = await this.context.attempt(() => navigator.clipboard.writeText(link));
    setTimeout(() => (this.isCopied = false), 2000);
  }

  #start(): void {
    const checked = this.#dialog.value!.querySelector<HTMLInputElement>('input[name=rows]:checked');
    const choice = this.choices[Number(checked?.value ?? 0)]!;
    this.#making.clear();
    void this.#making.run((options) => this.#make(choice, options));
  }

  async #make({ isPart, pages }: TableRows, options: FetchingOptions): Promise<Made> {
    const { linkOfTable, LinkTooLong } = await import('../../table_link/make.ts');
    const { linkCharsMax, messageCharsMax } = await import('../../table_link/carried.ts');
    const facts = await this.facts();
    try {
      const link = await linkOfTable({ facts, isPart, pages: pages(options) }, baseAddress());
      const tooShort = Object.entries(messageCharsMax).flatMap(([who, max]) => (link.length > max ? [who] : []));
      return { link, version: facts.version, tooShort };
    } catch (error) {
      if (!(error instanceof LinkTooLong)) throw error;
      const most = `${count(linkCharsMax)} characters`;
      throw new Refused({
        error: 'link_too_long',
        message:
          error.chars === undefined
            ? `These rows are too many for a link, which has at most ${most}.`
            : `These rows are too many for a link: it would have ${count(error.chars)} characters, and at most ${most} travel whole.`,
        hint: 'A bundle for a website holds any number of rows; or filter the table first and put the rows that are shown into a link.',
      });
    }
  }

  #toBundle(): void {
    this.#dialog.value!.close();
    this.dispatchEvent(new Event('st-bundle'));
  }
}

function selectAll(event: FocusEvent): void {
  (event.target as HTMLInputElement).select();
}

customElements.define('st-link-dialog', LinkDialog);

declare global {
  interface HTMLElementTagNameMap {
    'st-link-dialog': LinkDialog;
  }
}

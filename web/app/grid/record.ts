/** <st-record>: one row of a grid, all its values whole, in a panel beside it. */
import { html, nothing } from 'lit';
import { LightElement } from '../base/light_element.ts';
import { count, kindOf, typeWord } from '../base/words.ts';
import type { ViewColumn } from '../../../wasm/views.ts';
import { copied, notCopied } from './copy.ts';

export interface RecordShown {
  columns: ViewColumn[];
  /** Undefined while it is on its way. */
  row: unknown[] | undefined;
  y: number;
  x: number;
  meanings?: Map<string, string>;
}

export class RecordPanel extends LightElement {
  static override properties = { shown: { attribute: false } };
  declare shown: RecordShown | undefined;

  override render() {
    if (!this.shown) return nothing;
    const { columns, y } = this.shown;
    return html`<aside
      class="record"
      aria-label=${`Row ${count(y + 1)}`}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
    >
      <header>
        <h2 tabindex="-1">Row ${count(y + 1)}</h2>
        <button type="button" class="plain" @click=${() => this.#step(-1)} aria-label="Row before">↑</button>
        <button type="button" class="plain" @click=${() => this.#step(1)} aria-label="Next row">↓</button>
        <button type="button" class="plain" @click=${() => this.#close()} aria-label="Close">×</button>
      </header>
      <dl>${columns.map((column, x) => this.#field(column, x))}</dl>
    </aside>`;
  }

  #field({ name, type }: ViewColumn, x: number) {
    const { row, meanings, x: chosen } = this.shown!;
    const value = row?.[x];
    return html`<div class=${x === chosen ? 'chosen' : ''}>
      <dt>
        <bdi>${name}</bdi> <span class="quiet">${typeWord(type)}</span>
        ${
          row && value !== null
            ? html`<button
                type="button"
                class="plain copy"
                aria-label=${`Copy ${name}`}
                @click=${() => this.#copy(value)}
              >
                Copy
              </button>`
            : nothing
        }
      </dt>
      <dd data-kind=${kindOf(type)}>
        ${
          row === undefined
            ? html`<span class="quiet">…</span>`
            : value === null
              ? html`<span class="null">null</span>`
              : html`<bdi>${wholeText(value)}</bdi>`
        }
      </dd>
      ${meanings?.get(name) ? html`<dd class="quiet meaning">${meanings.get(name)}</dd>` : nothing}
    </div>`;
  }

  override updated(): void {
    this.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' });
  }

  override focus(): void {
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('h2')?.focus());
  }

  #copy(value: unknown): void {
    void navigator.clipboard.writeText(wholeText(value)).then(
      () => copied(this, 'Copied.'),
      () => copied(this, notCopied),
    );
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.#close();
  }

  #step(by: number): void {
    this.dispatchEvent(new CustomEvent('st-step', { detail: by }));
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent('st-close'));
  }
}

function wholeText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 2 : 0);
}

customElements.define('st-record', RecordPanel);

declare global {
  interface HTMLElementTagNameMap {
    'st-record': RecordPanel;
  }
}

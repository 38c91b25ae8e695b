/** <st-editable>: a text that is edited where it stands. Enter saves, Escape leaves it as it was. */
import { html } from 'lit';
import { LightElement } from './light_element.ts';

export class Editable extends LightElement {
  static override properties = {
    text: { attribute: false },
    label: {},
    empty: {},
    isEditing: { state: true },
  };
  declare text: string;
  /** What the text is, for whoever cannot see where it stands. */
  declare label: string;
  /** What the button says while there is no text. */
  declare empty: string;
  declare private isEditing: boolean;

  constructor() {
    super();
    this.text = this.label = this.empty = '';
    this.isEditing = false;
  }

  override render() {
    if (!this.isEditing)
      return html`<span class="editable">
        ${this.text}
        <button
          type="button"
          class=${this.text ? 'plain' : 'plain alone'}
          aria-label=${this.text ? `Edit ${this.label}` : `${this.empty}: ${this.label}`}
          @click=${() => this.#begin()}
        >
          ${this.text ? 'Edit' : this.empty}
        </button>
      </span>`;
    return html`<form
      class="editing"
      @submit=${(event: Event) => this.#save(event)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
    >
      <textarea name="text" rows="2" aria-label=${this.label} .value=${this.text}></textarea>
      <button type="submit" class="primary">Save</button>
      <button type="button" @click=${() => this.#end()}>Cancel</button>
    </form>`;
  }

  #begin(): void {
    this.isEditing = true;
    void this.updateComplete.then(() => this.querySelector('textarea')!.select());
  }

  #end(): void {
    this.isEditing = false;
    void this.updateComplete.then(() => this.querySelector('button')!.focus());
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#end();
    } else if (event.key === 'Enter' && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      this.querySelector('form')!.requestSubmit();
    }
  }

  #save(event: Event): void {
    event.preventDefault();
    const text = this.querySelector('textarea')!.value.trim();
    if (text !== this.text) this.dispatchEvent(new CustomEvent('st-edited', { detail: text }));
    this.text = text;
    this.#end();
  }
}

customElements.define('st-editable', Editable);

declare global {
  interface HTMLElementTagNameMap {
    'st-editable': Editable;
  }
}

/** <st-notices>: what was just done, with the way to undo it. What can be undone stays until it is put away. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Notice } from '../base/context.ts';
import { refusedOf } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';

interface Shown extends Notice {
  id: number;
  isUndoing: boolean;
}

const shownMax = 3;
const briefMs = 6000;

export class Notices extends LightElement {
  static override properties = { shown: { state: true } };
  declare private shown: Shown[];
  #lastId = 0;

  constructor() {
    super();
    this.shown = [];
  }

  add(notice: Notice): void {
    const id = ++this.#lastId;
    this.shown = [...this.shown, { ...notice, id, isUndoing: false }].slice(-shownMax);
    if (!notice.undo && !notice.isError) setTimeout(() => this.#remove(id), briefMs);
  }

  override render() {
    return html`<div class="notices" role="status" aria-live="polite">
      ${repeat(
        this.shown,
        ({ id }) => id,
        (notice) =>
          html`<div class="notice" data-error=${notice.isError ? 'true' : nothing}>
            <span>${notice.text}</span>
            ${notice.link ? html`<a href=${notice.link.href}>${notice.link.text}</a>` : nothing}
            ${
              notice.undo
                ? html`<button type="button" ?disabled=${notice.isUndoing} @click=${() => this.#undo(notice)}>
                    Undo
                  </button>`
                : nothing
            }
            <button type="button" class="plain" aria-label="Put away" @click=${() => this.#remove(notice.id)}>×</button>
          </div>`,
      )}
    </div>`;
  }

  async #undo(notice: Shown): Promise<void> {
    this.shown = this.shown.map((one) => (one.id === notice.id ? { ...one, isUndoing: true } : one));
    try {
      await notice.undo!();
      this.add({ text: 'Undone.' });
    } catch (error) {
      this.add({ text: refusedOf(error).message, isError: true });
    }
    this.#remove(notice.id);
  }

  #remove(id: number): void {
    this.shown = this.shown.filter((notice) => notice.id !== id);
  }
}

customElements.define('st-notices', Notices);

declare global {
  interface HTMLElementTagNameMap {
    'st-notices': Notices;
  }
}

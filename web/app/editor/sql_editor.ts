/** <st-sql-editor>: where a query is written: a plain field at once, the full editor as soon as it is here. */
import { css } from 'lit';
import type { SqlPlace } from '../base/sql_error.ts';
import type { CodeEditor } from './code_editor.ts';
import type { KnownTables } from './completion.ts';

const looks = css`
  :host {
    display: block;
  }
  textarea {
    display: block;
    inline-size: 100%;
    min-block-size: 9rem;
    padding: 0.6rem 0.75rem;
    border: 0;
    background: none;
    color: inherit;
    font: var(--st-code);
    resize: vertical;
  }
  .cm-editor {
    min-block-size: 9rem;
    max-block-size: 24rem;
  }
  .cm-editor.cm-focused {
    outline: none;
  }
  .cm-scroller {
    font: var(--st-code) !important;
    overflow: auto;
  }
  .cm-content {
    padding: 0.6rem 0;
    caret-color: var(--st-ink);
  }
  .cm-line {
    padding-inline: 0.75rem;
  }
  .cm-cursor {
    border-color: var(--st-ink) !important;
  }
  .cm-placeholder {
    color: var(--st-quiet);
  }
  .cm-selectionBackground,
  .cm-focused .cm-selectionBackground {
    background: var(--st-selected) !important;
  }
  .cm-mistake {
    text-decoration: underline wavy var(--st-bad);
    text-underline-offset: 0.2em;
    background: var(--st-bad-wash);
  }
  .tok-keyword {
    color: var(--st-accent);
  }
  .tok-string {
    color: var(--st-good);
  }
  .tok-comment {
    color: var(--st-quiet);
    font-style: italic;
  }
  .cm-tooltip {
    border: 1px solid var(--st-line-strong) !important;
    border-radius: var(--st-radius);
    background: var(--st-raised) !important;
    color: var(--st-ink);
  }
  .cm-tooltip-autocomplete ul {
    font: var(--st-code) !important;
  }
  .cm-tooltip-autocomplete li {
    padding: 0.15rem 0.5rem !important;
  }
  .cm-tooltip-autocomplete li[aria-selected] {
    background: var(--st-accent) !important;
    color: var(--st-paper) !important;
  }
  .cm-completionDetail {
    margin-inline-start: 1em;
    opacity: 0.75;
    font-style: normal !important;
  }
`;

export class SqlEditor extends HTMLElement {
  tables: KnownTables | undefined;
  onRun: () => void = () => {};
  #field = document.createElement('textarea');
  #editor: CodeEditor | undefined;
  #isLoading = false;

  connectedCallback(): void {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [looks.styleSheet!];
      this.#field.setAttribute('aria-label', 'SQL');
      this.#field.spellcheck = false;
      this.#field.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.onRun();
      });
      root.append(this.#field);
    }
    void this.#load();
  }

  disconnectedCallback(): void {
    this.#editor?.close();
    if (this.#editor) this.shadowRoot!.append(this.#field);
    this.#editor = undefined;
  }

  get text(): string {
    return this.#editor?.text ?? this.#field.value;
  }

  set text(text: string) {
    this.#field.value = text;
    this.#editor?.setText(text);
  }

  /** Shows where a mistake is, or that there is none any more. */
  mark(at: SqlPlace | undefined): void {
    this.#editor?.mark(at);
  }

  override focus(): void {
    if (this.#editor) this.#editor.focus();
    else this.#field.focus();
  }

  async #load(): Promise<void> {
    if (this.#editor || this.#isLoading) return;
    this.#isLoading = true;
    const { createEditor } = await import('./code_editor.ts');
    this.#isLoading = false;
    if (!this.isConnected) return;
    const hadFocus = this.shadowRoot!.activeElement === this.#field;
    this.#editor = createEditor({
      parent: this,
      text: this.#field.value,
      label: 'SQL',
      tables: this.tables!,
      onChange: (text) => {
        this.#field.value = text;
        this.dispatchEvent(new Event('st-typed'));
      },
      onRun: () => this.onRun(),
    });
    this.#field.remove();
    if (hadFocus) this.#editor.focus();
  }
}

customElements.define('st-sql-editor', SqlEditor);

declare global {
  interface HTMLElementTagNameMap {
    'st-sql-editor': SqlEditor;
  }
}

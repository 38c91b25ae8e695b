/** <st-reading-form>: how a file is to be read, where what was found in it is not what it is. */
import { html, nothing } from 'lit';
import { LightElement } from '../base/light_element.ts';
import type { ReadOptions } from './inspection.ts';

type Field = keyof ReadOptions;

/** The options that say something about a format. */
const fieldsOf: Record<string, Field[]> = {
  csv: ['delimiter', 'header', 'encoding', 'skip_rows', 'null_values', 'decimal_comma'],
  tsv: ['delimiter', 'header', 'encoding', 'skip_rows', 'null_values', 'decimal_comma'],
  json: ['records_path', 'encoding', 'null_values', 'decimal_comma'],
  ndjson: ['encoding', 'null_values', 'decimal_comma'],
  xlsx: ['sheet', 'header', 'skip_rows', 'null_values', 'decimal_comma'],
};

const choices: Partial<Record<Field, [value: string, words: string][]>> = {
  delimiter: [
    ['', 'as found'],
    [',', 'commas'],
    [';', 'semicolons'],
    ['tab', 'tabs'],
    ['|', 'bars'],
  ],
  header: [
    ['', 'as found'],
    ['true', 'is a header'],
    ['false', 'is data'],
  ],
  encoding: [
    ['', 'as found'],
    ['UTF-8', 'UTF-8'],
    ['UTF-16LE', 'UTF-16LE'],
    ['UTF-16BE', 'UTF-16BE'],
    ['Windows-1252', 'Windows-1252'],
  ],
};

const labels: Record<Field, string> = {
  delimiter: 'Cells are parted by',
  header: 'The first row',
  encoding: 'Encoding',
  skip_rows: 'Lines above the header',
  sheet: 'Sheet',
  records_path: 'Keys to the rows',
  null_values: 'Cells that mean null',
  decimal_comma: '1.234,5 is a number',
};

const placeholders: Partial<Record<Field, string>> = {
  skip_rows: '0',
  sheet: 'the first visible',
  records_path: 'data/items',
  null_values: 'NA, n/a',
};

export class ReadingForm extends LightElement {
  static override properties = { format: { attribute: false }, options: { attribute: false } };
  declare format: string;
  declare options: ReadOptions;

  override render() {
    const fields = fieldsOf[this.format];
    if (!fields) return nothing;
    const isOpen = Object.keys(this.options).length > 0;
    return html`<details class="reading" ?open=${isOpen}>
      <summary>Read it in another way</summary>
      <form @submit=${(event: Event) => event.preventDefault()} @change=${(event: Event) => this.#changed(event)}>
        ${fields.map((field) => this.#field(field))}
      </form>
    </details>`;
  }

  #field(field: Field) {
    const value = this.options[field];
    if (field === 'decimal_comma')
      return html`<label class="inline"
        ><input type="checkbox" name=${field} .checked=${value === true} />${labels[field]}</label
      >`;
    const options = choices[field];
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
    return html`<label
      >${labels[field]}${
        options
          ? html`<select name=${field}>
              ${options.map(([choice, words]) => html`<option value=${choice} ?selected=${choice === text}>${words}</option>`)}
            </select>`
          : html`<input
              name=${field}
              .value=${text}
              placeholder=${placeholders[field] ?? ''}
              inputmode=${field === 'skip_rows' ? 'numeric' : 'text'}
              autocomplete="off"
              spellcheck="false"
            />`
      }</label
    >`;
  }

  #changed(event: Event): void {
    const given = new FormData((event.target as Element).closest('form')!);
    this.dispatchEvent(new CustomEvent('st-reading', { detail: optionsFrom(given) }));
  }
}

/** What is left empty is left as found. */
function optionsFrom(given: FormData): ReadOptions {
  const text = (field: Field) => String(given.get(field) ?? '').trim();
  const nulls = text('null_values')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return {
    ...(text('delimiter') ? { delimiter: text('delimiter') } : {}),
    ...(text('header') ? { header: text('header') === 'true' } : {}),
    ...(text('encoding') ? { encoding: text('encoding') } : {}),
    ...(/^[1-9]\d*$/.test(text('skip_rows')) ? { skip_rows: Number(text('skip_rows')) } : {}),
    ...(text('sheet') ? { sheet: text('sheet') } : {}),
    ...(text('records_path') ? { records_path: text('records_path') } : {}),
    ...(nulls.length ? { null_values: nulls } : {}),
    ...(given.has('decimal_comma') ? { decimal_comma: true } : {}),
  };
}

customElements.define('st-reading-form', ReadingForm);

declare global {
  interface HTMLElementTagNameMap {
    'st-reading-form': ReadingForm;
  }
}

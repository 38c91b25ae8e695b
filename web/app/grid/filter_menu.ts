/** <st-filter-menu>: the filter of one column, beside its head. It says what is wanted; the page asks for the rows. */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { type Filter, type FilterOperator, filterOperators, takesValue } from '../base/address.ts';
import { LightElement } from '../base/light_element.ts';
import type { DescribedColumn } from '../../../wasm/answers.ts';
import { cellText, count, kindOf } from '../base/words.ts';

const operatorWords: Record<FilterOperator, string> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'less than',
  '<=': 'at most',
  '>': 'more than',
  '>=': 'at least',
  contains: 'contains',
  starts_with: 'starts with',
  is_null: 'is null',
  is_not_null: 'is not null',
};

export function filterText({ column, op, value }: Filter): string {
  return [column, operatorWords[op], ...(value === undefined ? [] : [String(value)])].join(' ');
}

export interface FilterRequest {
  column: { name: string; type: string };
  profile: DescribedColumn | undefined;
  current: Filter | undefined;
  apply(filter: Filter | undefined): void;
}

export class FilterMenu extends LightElement {
  static override properties = { request: { state: true }, op: { state: true } };
  declare private request: FilterRequest | undefined;
  declare private op: FilterOperator;
  #box = createRef<HTMLElement>();
  #anchor: HTMLElement | undefined;

  constructor() {
    super();
    this.op = '=';
  }

  async open(request: FilterRequest, anchor: HTMLElement): Promise<void> {
    this.request = request;
    this.op = request.current?.op ?? (kindOf(request.column.type) === 'text' ? 'contains' : '=');
    this.#anchor = anchor;
    await this.updateComplete;
    const box = this.#box.value!;
    box.showPopover();
    const at = anchor.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8));
    const top = Math.max(8, Math.min(at.bottom + 4, innerHeight - box.offsetHeight - 8));
    box.style.insetInlineStart = 'auto';
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
    box.querySelector<HTMLElement>('input[name="value"], select')?.focus();
  }

  override render() {
    const { request } = this;
    return html`<div popover class="menu" role="dialog" aria-label="Filter" ${ref(this.#box)}>
      ${request ? this.#form(request) : nothing}
    </div>`;
  }

  #form({ column, profile, current }: FilterRequest) {
    const operators = filterOperators.filter((op) =>
      op !== 'contains' && op !== 'starts_with' ? true : column.type === 'VARCHAR',
    );
    return html`<form @submit=${(event: SubmitEvent) => this.#submit(event)}>
      <p class="menu-title"><bdi>${column.name}</bdi> <span class="quiet">${column.type}</span></p>
      <div class="fields">
        <select
          name="op"
          aria-label="Comparison"
          @change=${(event: Event) => (this.op = (event.target as HTMLSelectElement).value as FilterOperator)}
        >
          ${operators.map((op) => html`<option value=${op} ?selected=${op === this.op}>${operatorWords[op]}</option>`)}
        </select>
        ${
          takesValue(this.op)
            ? html`<input
                name="value"
                aria-label="Value"
                autocomplete="off"
                .value=${current?.value === undefined ? '' : String(current.value)}
                inputmode=${kindOf(column.type) === 'number' ? 'decimal' : 'text'}
              />`
            : nothing
        }
      </div>
      ${this.#tops(profile)}
      <div class="actions">
        <button type="submit" class="primary">Filter</button>
        ${current ? html`<button type="button" @click=${() => this.#apply(undefined)}>Remove</button>` : nothing}
      </div>
    </form>`;
  }

  #tops(profile: DescribedColumn | undefined) {
    if (!profile?.top?.length) return nothing;
    return html`<p class="quiet">Most frequent</p>
      <ul class="tops">
        ${profile.top.slice(0, 6).map(
          ([value, number]) =>
            html`<li>
              <button type="button" class="plain" @click=${() => this.#applyValue(value)}>
                <bdi>${cellText(value) || 'empty'}</bdi><span class="quiet">${count(number)}</span>
              </button>
            </li>`,
        )}
      </ul>`;
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const value = new FormData(event.target as HTMLFormElement).get('value');
    const { name } = this.request!.column;
    if (!takesValue(this.op)) this.#apply({ column: name, op: this.op });
    else if (typeof value === 'string' && value !== '') this.#apply({ column: name, op: this.op, value });
    else this.#apply(undefined);
  }

  #applyValue(value: unknown): void {
    const { name } = this.request!.column;
    const given = typeof value === 'number' || typeof value === 'boolean' ? value : cellText(value);
    this.#apply(value === null ? { column: name, op: 'is_null' } : { column: name, op: '=', value: given });
  }

  #apply(filter: Filter | undefined): void {
    this.#box.value!.hidePopover();
    this.#anchor?.focus();
    this.request!.apply(filter);
  }
}

customElements.define('st-filter-menu', FilterMenu);

declare global {
  interface HTMLElementTagNameMap {
    'st-filter-menu': FilterMenu;
  }
}

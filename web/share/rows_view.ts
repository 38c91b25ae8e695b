/**
 * <st-rows-view>: rows of one table in a grid, with search, filters and order. Where the rows come from is its backend's to know;
 * what is shown of them is a property, and every change of it an event "st-view".
 */
import { html, nothing, type PropertyValues } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { type Filter, nextOrder, type RowsView } from '../app/base/address.ts';
import { Fetching, refusalShown } from '../app/base/fetching.ts';
import { LightElement } from '../app/base/light_element.ts';
import { count, counted } from '../app/base/words.ts';
import '../app/grid/filter_menu.ts';
import { type FilterMenu, filterText } from '../app/grid/filter_menu.ts';
import type { GridModel } from '../app/grid/grid.ts';
import '../app/grid/grid_view.ts';
import { pageRows, type RowPage, RowSource } from '../app/grid/row_source.ts';
import type { DescribedColumn } from '../../wasm/answers.ts';
import type { ViewColumn } from '../../wasm/views.ts';

export interface WantedRows extends RowsView {
  offset: number;
  limit: number;
}

export interface BackendPage extends RowPage {
  columns: ViewColumn[];
  /** How many rows pass in all, where `total` is a page of them. */
  matching?: number;
}

export interface RowsBackend {
  /** What the rows are, for screen readers. */
  label: string;
  rows(wanted: WantedRows, signal: AbortSignal): Promise<BackendPage>;
}

interface Opened {
  source: RowSource;
  columns: ViewColumn[];
  subject: string;
  matching: number;
}

const searchPauseMs = 250;

export class SharedRowsView extends LightElement {
  static override properties = {
    backend: { attribute: false },
    view: { attribute: false },
    profiles: { attribute: false },
    rowsInAll: { attribute: false },
    rowsBefore: { attribute: false },
  };
  /** Another one stands for rows that changed: they are fetched anew, and the grid stays where it was. */
  declare backend: RowsBackend;
  declare view: RowsView;
  /** What columns hold; without it their heads have no room for that. */
  declare profiles: Map<string, DescribedColumn> | undefined;
  declare rowsInAll: number | undefined;
  /** Rows that come before these, as they are numbered. */
  declare rowsBefore: number | undefined;
  #opened = new Fetching<Opened>(this, 'Reading rows');
  #menu = createRef<FilterMenu>();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.view = { filters: [], order: [], search: '' };
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('backend') || changed.has('view')) this.#open();
  }

  override disconnectedCallback(): void {
    clearTimeout(this.#typing);
    super.disconnectedCallback();
  }

  #open(): void {
    const { backend, view } = this;
    void this.#opened
      .run(async ({ signal }) => {
        const {
          columns,
          rows,
          total,
          matching = total,
        } = await backend.rows({ ...view, offset: 0, limit: pageRows }, signal);
        const fetch = (offset: number, limit: number, aborting: AbortSignal) =>
          backend.rows({ ...view, offset, limit }, aborting);
        const source = new RowSource(fetch, total, rows);
        source.onError = (error) => this.dispatchEvent(new CustomEvent('st-failed', { detail: error }));
        return { source, columns, subject: JSON.stringify(view), matching };
      })
      .then((opened) => {
        if (opened) this.dispatchEvent(new Event('st-opened'));
        else if (this.#opened.error) this.dispatchEvent(new CustomEvent('st-failed', { detail: this.#opened.error }));
      });
  }

  override render() {
    const { value, error, bar } = this.#opened;
    const { search, filters, order } = this.view;
    return html`<div class="rows-tab">
      <div class="rows-tools" part="toolbar">
        <input
          part="search"
          type="search"
          data-search
          placeholder="Search rows"
          aria-label="Search rows"
          .value=${search}
          @input=${(event: InputEvent) => this.#onSearch((event.target as HTMLInputElement).value)}
        />
        ${filters.map((filter) => this.#chip(filterText(filter), { filters: filters.filter((one) => one !== filter) }))}
        ${order.map((by) =>
          this.#chip(`${by.column} ${by.descending ? '↓' : '↑'}`, { order: order.filter((one) => one !== by) }),
        )}
        <span class="quiet count" role="status">${value ? this.#countText(value.matching) : nothing}</span>
      </div>
      ${bar} ${error ? refusalShown(error) : nothing} ${value ? this.#grid(value) : nothing}
      <st-filter-menu ${ref(this.#menu)}></st-filter-menu>
    </div>`;
  }

  #countText(total: number): string {
    const { search, filters } = this.view;
    const { rowsInAll } = this;
    if (!search && filters.length === 0) return rowsInAll === undefined ? counted(total, 'row') : '';
    return rowsInAll === undefined ? counted(total, 'row') : `${count(total)} of ${counted(rowsInAll, 'row')}`;
  }

  #chip(text: string, without: Partial<RowsView>) {
    return html`<button
      type="button"
      class="chip"
      aria-label=${`Remove: ${text}`}
      @click=${() => this.#change(without)}
    >
      <bdi>${text}</bdi><span aria-hidden="true">×</span>
    </button>`;
  }

  #grid({ source, columns, subject }: Opened) {
    const { filters, order, search } = this.view;
    const { profiles, rowsInAll } = this;
    const model: GridModel = {
      ...{ label: this.backend.label, subject, columns, source, order },
      filtered: new Set(filters.map(({ column }) => column)),
      ...(profiles ? { profiles } : {}),
      ...(rowsInAll === undefined ? {} : { rowsInAll }),
      ...(this.rowsBefore === undefined ? {} : { rowsBefore: this.rowsBefore }),
      sort: (column, isAdditional) => this.#change({ order: nextOrder(this.view.order, column, isAdditional) }),
      menu: (column, anchor) => this.#openMenu(column, anchor),
    };
    return html`<st-grid-view part="grid" .model=${model}></st-grid-view>
      ${source.total === 0 ? html`<p class="empty">${filters.length || search ? 'No row passes.' : 'There are no rows.'}</p>` : nothing}`;
  }

  #onSearch(search: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#change({ search }), searchPauseMs);
  }

  #openMenu(name: string, anchor: HTMLElement): void {
    const column = this.#opened.value!.columns.find((one) => one.name === name)!;
    const { filters } = this.view;
    const current = filters.find((filter) => filter.column === name);
    const others = filters.filter((filter) => filter.column !== name);
    const apply = (filter: Filter | undefined) => this.#change({ filters: filter ? [...others, filter] : others });
    void this.#menu.value!.open({ column, profile: this.profiles?.get(name), current, apply }, anchor);
  }

  #change(to: Partial<RowsView>): void {
    this.view = { ...this.view, ...to };
    this.dispatchEvent(new CustomEvent<RowsView>('st-view', { detail: this.view }));
  }
}

customElements.define('st-rows-view', SharedRowsView);

declare global {
  interface HTMLElementTagNameMap {
    'st-rows-view': SharedRowsView;
  }
}

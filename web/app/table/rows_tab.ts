/** <st-rows-tab>: a version's rows in the grid, sorted, filtered and searched as the address says. */
import { html, nothing, type PropertyValues } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { type Filter, nextOrder, type Order } from '../base/address.ts';
import { Fetching, refusalShown, refusedOf } from '../base/fetching.ts';
import { searchField } from '../base/shown.ts';
import type { Described, DescribedColumn } from '../../../wasm/answers.ts';
import { count, counted } from '../base/words.ts';
import '../grid/filter_menu.ts';
import { type FilterMenu, filterText } from '../grid/filter_menu.ts';
import '../grid/grid_view.ts';
import type { GridModel } from '../grid/grid.ts';
import { pageRows, RowSource } from '../grid/row_source.ts';
import type { ViewColumn } from '../../../wasm/views.ts';
import { VersionTab } from './version_tab.ts';
import { wantedRows } from './wanted_rows.ts';

interface Opened {
  source: RowSource;
  columns: ViewColumn[];
  subject: string;
}

const searchPauseMs = 250;

export class RowsTab extends VersionTab {
  #opened = new Fetching<Opened>(this, 'Reading rows');
  #profile = new Fetching<Described>(this, 'Profiling columns');
  #profileOf = '';
  #rowsOf = '';
  #menu = createRef<FilterMenu>();
  #typing: ReturnType<typeof setTimeout> | undefined;

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has('place') && !changed.has('latest')) return;
    this.#openRows();
    this.#loadProfile();
  }

  override disconnectedCallback(): void {
    clearTimeout(this.#typing);
    super.disconnectedCallback();
  }

  #openRows(): void {
    const wanted = wantedRows(this.place, this.latest);
    const asked = JSON.stringify(wanted);
    if (asked === this.#rowsOf && !this.#opened.error) return;
    this.#rowsOf = asked;
    const subject = JSON.stringify({ ...wanted, version: this.place.version ?? 'latest' });
    const { tables } = this.context;
    void this.#opened.run(async (options) => {
      const first = await tables.rows({ ...wanted, limit: pageRows }, options);
      const source = new RowSource(
        async (offset, limit, signal) => {
          const { rows, total_rows } = await tables.rows({ ...wanted, offset, limit }, { signal });
          return { rows, total: total_rows };
        },
        first.total_rows,
        first.rows,
      );
      source.onError = (error) => this.context.notify({ text: refusedOf(error).message, isError: true });
      return { source, columns: first.columns, subject };
    });
  }

  #loadProfile(): void {
    const { path } = this.place;
    const { version } = this;
    const of = `${path}@${version}`;
    if (of === this.#profileOf) return;
    this.#profileOf = of;
    this.#profile.clear();
    void this.#profile.run((options) => this.context.tables.describe(path, version, options));
  }

  override render() {
    const { value, error, bar } = this.#opened;
    const { search, filters, order } = this.place;
    return html`<div class="rows-tab">
      <div class="rows-tools">
        ${searchField('Search rows', search, (text) => this.#onSearch(text))}
        ${filters.map((filter) => this.#chip(filterText(filter), () => this.#setFilters(filters.filter((one) => one !== filter))))}
        ${order.map(({ column, descending }) =>
          this.#chip(`${column} ${descending ? '↓' : '↑'}`, () =>
            this.#setOrder(order.filter((one) => one.column !== column)),
          ),
        )}
        <span class="quiet count" role="status"
          >${value && bar === nothing ? this.#countText(value.source.total) : nothing}</span
        >
      </div>
      ${bar} ${error ? refusalShown(error) : nothing} ${value ? this.#grid(value) : nothing}
      <st-filter-menu ${ref(this.#menu)}></st-filter-menu>
    </div>`;
  }

  #countText(total: number): string {
    const { search, filters } = this.place;
    const inAll = this.#profile.value?.rows;
    if (!search && filters.length === 0) return '';
    return inAll === undefined ? counted(total, 'row') : `${count(total)} of ${counted(inAll, 'row')}`;
  }

  #chip(text: string, remove: () => void) {
    return html`<button type="button" class="chip" aria-label=${`Remove: ${text}`} @click=${remove}>
      <bdi>${text}</bdi><span aria-hidden="true">×</span>
    </button>`;
  }

  #grid({ source, columns, subject }: Opened) {
    const described = this.#profile.value;
    const profiles = new Map<string, DescribedColumn>(described?.columns.map((column) => [column.name, column]));
    const model: GridModel = {
      label: this.place.path,
      subject,
      columns,
      source,
      order: this.place.order,
      filtered: new Set(this.place.filters.map(({ column }) => column)),
      profiles,
      ...(described ? { rowsInAll: described.rows } : {}),
      sort: (column, isAdditional) => this.#sort(column, isAdditional),
      menu: (column, anchor) => this.#openMenu(column, anchor),
    };
    return html`<st-grid-view .model=${model}></st-grid-view>
      ${source.total === 0 ? html`<p class="empty">${this.place.filters.length || this.place.search ? 'No row passes.' : 'This version has no rows.'}</p>` : nothing}`;
  }

  #onSearch(search: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.context.amend({ ...this.place, search }), searchPauseMs);
  }

  #sort(column: string, isAdditional: boolean): void {
    this.#setOrder(nextOrder(this.place.order, column, isAdditional));
  }

  #openMenu(name: string, anchor: HTMLElement): void {
    const column = this.#opened.value!.columns.find((one) => one.name === name)!;
    const { filters } = this.place;
    const current = filters.find((filter) => filter.column === name);
    const others = filters.filter((filter) => filter.column !== name);
    const apply = (filter: Filter | undefined) => this.#setFilters(filter ? [...others, filter] : others);
    const profile = this.#profile.value?.columns.find((one) => one.name === name);
    void this.#menu.value!.open({ column, profile, current, apply }, anchor);
  }

  #setFilters(filters: Filter[]): void {
    this.context.go({ ...this.place, filters });
  }

  #setOrder(order: Order[]): void {
    this.context.go({ ...this.place, order });
  }
}

customElements.define('st-rows-tab', RowsTab);

/** What <stele-table> draws: its rows in a grid, where they come from, and what went wrong if something did. */
import { html, nothing, render } from 'lit';
import type { RowsView } from '../app/base/address.ts';
import { count, counted } from '../app/base/words.ts';
import '../share/rows_view.ts';
import type { RowsBackend } from '../share/rows_view.ts';
import type { EmbeddedView, MakeView } from './embed.ts';
import { filtersOf, namesOf, openSource, orderOf, shareUrlOf, type Source, typeOfSource } from './source.ts';
import { stylesheet } from './stylesheet.ts';
import css from './table.css?inline';

const sheet = stylesheet(css);
const pageSizeMax = 10_000;
const lookMs = 60_000;

type State =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; hint: string }
  | { kind: 'open'; source: Source; view: RowsView };

export const tableView: MakeView = (host, root) => new TableView(host, root);

class TableView implements EmbeddedView {
  #host: HTMLElement;
  #root: ShadowRoot;
  #state: State = { kind: 'loading' };
  #opening = new AbortController();
  #first = 0;
  #matching = 0;
  /** Until then what the page has within the element stays, such as a plain table of the first rows. */
  #hasRows = false;
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor(host: HTMLElement, root: ShadowRoot) {
    this.#host = host;
    this.#root = root;
    root.adoptedStyleSheets = [sheet];
  }

  close(): void {
    this.#opening.abort();
    clearInterval(this.#looking);
    render(nothing, this.#root);
  }

  update(): void {
    this.#first = 0;
    const height = this.#host.getAttribute('height');
    const length = height && /^\d+$/.test(height) ? `${height}px` : height;
    this.#host.style.setProperty('--st-table-height', length || null);
    void this.#open();
  }

  get #url(): URL | undefined {
    const src = this.#host.getAttribute('src');
    return src && URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI) : undefined;
  }

  #attribute(name: string): string {
    return this.#host.getAttribute(name) ?? '';
  }

  async #open(): Promise<void> {
    this.#opening.abort();
    clearInterval(this.#looking);
    const opening = (this.#opening = new AbortController());
    this.#hasRows = false;
    this.#show({ kind: 'loading' });
    try {
      const url = this.#url;
      if (!url || !/^https?:$/.test(url.protocol)) throw new Error('The element names no address: write src="…".');
      const type = typeOfSource(url, this.#host.getAttribute('type'));
      const view: RowsView = {
        filters: filtersOf(this.#attribute('filter')),
        order: orderOf(this.#attribute('sort')),
        search: '',
      };
      const columns = namesOf(this.#attribute('columns'));
      const open = () => openSource(url, type, columns, this.#attribute('label') || nameOf(url), opening.signal);
      const source = await open();
      if (opening.signal.aborted) return;
      this.#show({ kind: 'open', source, view });
      if (type === 'api') this.#looking = setInterval(() => void this.#look(open), lookMs);
    } catch (error) {
      if (!opening.signal.aborted) this.#fail(error);
    }
  }

  /** A table that is looked at goes on to its next version by itself. */
  async #look(open: () => Promise<Source>): Promise<void> {
    if (document.visibilityState !== 'visible' || this.#state.kind !== 'open') return;
    const source = await open().catch(() => undefined);
    if (source && this.#state.kind === 'open' && source.version !== this.#state.source.version)
      this.#show({ ...this.#state, source });
  }

  #fail(error: unknown): void {
    const { message, hint = '' } = error as { message: string; hint?: string };
    // What a browser says of a network that fails names no cause and no remedy.
    const isNetwork = error instanceof TypeError;
    this.#show({
      kind: 'failed',
      message: isNetwork ? `${this.#url?.host ?? 'The source'} could not be reached.` : message,
      hint: isNetwork ? 'It may be away, or let no other site’s page read it.' : hint,
    });
  }

  #show(state: State): void {
    this.#state = state;
    render(this.#drawn(state), this.#root, { host: this });
  }

  #drawn(state: State) {
    const url = this.#url;
    const source = url
      ? html`<a part="source" href=${url.pathname.endsWith('/rows') ? shareUrlOf(url) : url.href} target="_top"
          >${hostAndPath(url)}</a
        >`
      : nothing;
    switch (state.kind) {
      case 'loading':
        return html`<p part="loading" class="quiet" role="status">Loading ${url ? hostAndPath(url) : 'rows'} …</p>
          <slot></slot>`;
      case 'failed':
        return html`<div part="error" class="refusal" role="alert">
            <p>${state.message}</p>
            <p class="quiet">${state.hint} ${source}</p>
            <button type="button" @click=${() => void this.#open()}>Try again</button>
          </div>
          <slot></slot>`;
      case 'open':
        return html`${this.#rows(state.source, state.view)} ${this.#hasRows ? nothing : html`<slot></slot>`}
          <p part="footer" class="quiet footer">
            <span
              >${counted(state.source.rows, 'row')}${state.source.version ? `, version ${state.source.version}` : ''}</span
            >
            <span>From ${source}</span>
          </p>`;
    }
  }

  #rows({ backend, rows, profiles }: Source, view: RowsView) {
    const size = Math.min(pageSizeMax, Math.max(0, Math.floor(Number(this.#attribute('page-size'))) || 0));
    const shown = size > 0 ? this.#paged(backend, size) : backend;
    return html`<st-rows-view
        .backend=${shown}
        .view=${view}
        .profiles=${profiles}
        .rowsInAll=${rows}
        .rowsBefore=${this.#first}
        @st-view=${({ detail }: CustomEvent<RowsView>) => this.#onView(detail)}
        @st-opened=${() => this.#onOpened()}
      ></st-rows-view>
      ${size > 0 ? this.#pager(size) : nothing}`;
  }

  #onView(view: RowsView): void {
    this.#first = 0;
    if (this.#state.kind === 'open') this.#show({ ...this.#state, view });
  }

  #pages: { backend: RowsBackend; first: number; size: number; shown: RowsBackend } | undefined;

  /** The rows of one page as if they were all; the same one as long as it is the same page. */
  #paged(backend: RowsBackend, size: number): RowsBackend {
    const first = this.#first;
    const { label } = backend;
    const kept = this.#pages;
    if (kept?.backend === backend && kept.first === first && kept.size === size) return kept.shown;
    const shown: RowsBackend = {
      label,
      rows: async (wanted, signal) => {
        const limit = Math.max(0, Math.min(wanted.limit, size - wanted.offset));
        const page = await backend.rows({ ...wanted, offset: first + wanted.offset, limit }, signal);
        this.#matching = page.total;
        return { ...page, total: Math.max(0, Math.min(size, page.total - first)), matching: page.total };
      },
    };
    this.#pages = { backend, first, size, shown };
    return shown;
  }

  #onOpened(): void {
    this.#hasRows = true;
    if (this.#state.kind === 'open') this.#show(this.#state);
  }

  #pager(size: number) {
    const end = Math.min(this.#first + size, this.#matching);
    const go = (to: number) => {
      this.#first = to;
      if (this.#state.kind === 'open') this.#show(this.#state);
    };
    return html`<nav part="pager" class="pager" aria-label="Pages">
      <button type="button" ?disabled=${this.#first === 0} @click=${() => go(Math.max(0, this.#first - size))}>
        Previous
      </button>
      <span role="status"
        >${this.#matching === 0 ? '' : `${count(this.#first + 1)}–${count(end)} of ${count(this.#matching)}`}</span
      >
      <button type="button" ?disabled=${end >= this.#matching} @click=${() => go(this.#first + size)}>Next</button>
    </nav>`;
  }
}

function nameOf(url: URL): string {
  const name = url.pathname.split('/').at(-1) ?? '';
  return name === 'rows' ? '' : decodeURIComponent(name);
}

function hostAndPath(url: URL): string {
  return url.origin === location.origin ? url.pathname : url.host;
}

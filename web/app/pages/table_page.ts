/** <st-table-page>: one table: what it is, then its rows, columns, history or the difference of two versions. */
import { html, nothing } from 'lit';
import { under } from '../../base.ts';
import { hrefOf, type TablePlace, tablePlace, type TableTab } from '../base/address.ts';
import '../base/editable.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { crumbs, moment } from '../base/shown.ts';
import type { ListedTable, VersionShown } from '../../../wasm/answers.ts';
import { count, counted, sizeText, who } from '../base/words.ts';
import '../table/columns_tab.ts';
import '../table/diff_tab.ts';
import '../table/history_tab.ts';
import '../table/rows_tab.ts';
import '../table/table_menu.ts';

interface Facts {
  listed: ListedTable;
  versions: VersionShown[];
  notice?: string | undefined;
}

const tabNames: Record<Exclude<TableTab, 'diff'>, string> = { rows: 'Rows', columns: 'Columns', history: 'History' };

export class TablePage extends Page<TablePlace> {
  #facts = new Fetching<Facts>(this, 'Opening the table');

  override get heading(): string {
    return this.place.path;
  }

  protected override load(): void {
    const { tables } = this.context;
    const { path } = this.place;
    if (this.#facts.value && this.#facts.value.listed.path !== path) this.#facts.clear();
    void this.#facts.run(async (options) => {
      const [{ versions, notice }, { tables: found }] = await Promise.all([
        tables.history(path, options),
        tables.list({ search: path }, options),
      ]);
      const listed = found.find((table) => table.path === path) ?? listedFrom(path, versions[0]!);
      return { listed, versions, notice };
    });
  }

  override render() {
    const { value, error, bar } = this.#facts;
    return html`<div class="page table-page">
      ${bar}
      ${
        error
          ? html`<h1><bdi>${this.place.path}</bdi></h1>
              ${refusalShown(error)}
              <p><a href=${under('trash')}>Look in the trash</a> or at <a href=${under('')}>all tables</a>.</p>`
          : nothing
      }
      ${value && !error ? html`${this.#head(value)} ${this.#tab(value)}` : nothing}
    </div>`;
  }

  #head({ listed, versions }: Facts) {
    const { path, version } = this.place;
    // Not there of a version that never was, nor of one that is older than those that are listed.
    const shown = versions.find((one) => one.version === (version ?? listed.version));
    return html`<header class="page-head">
        <h1>${crumbs(path)}</h1>
        <div class="page-tools">
          <a class="button" href=${hrefOf({ page: 'query', sql: sampleSql(path, version) })}>Query</a>
          <st-table-menu
            .context=${this.context}
            .place=${this.place}
            .latest=${listed.version}
            .rows=${shown?.rows ?? listed.rows}
          ></st-table-menu>
        </div>
      </header>
      <p class="description">
        <st-editable
          .text=${listed.description ?? ''}
          label="what the table holds"
          empty="Say what it holds"
          @st-edited=${({ detail }: CustomEvent<string>) => this.#describe(detail, listed.description ?? '')}
        ></st-editable>
      </p>
      <p class="facts">
        ${shown ? html`<span>${counted(shown.rows, 'row')}</span>` : nothing}
        ${version ? nothing : html`<span>${counted(listed.columns, 'column')}</span><span>${sizeText(listed.bytes)}</span>`}
        <span>
          <a href=${hrefOf(tablePlace(path, { tab: 'history' }))}>Version ${version ?? listed.version}</a>${
            shown
              ? html`, by ${who(shown.made_by)},
                ${moment(shown.made_at)}${shown.message ? html`: ${shown.message}` : nothing}`
              : nothing
          }
        </span>
      </p>
      ${version && version !== listed.version ? this.#oldVersion(version, listed.version) : nothing}
      <nav class="tabs" aria-label="Table">
        ${Object.entries(tabNames).map(([tab, name]) => {
          const isHere = this.place.tab === tab || (tab === 'history' && this.place.tab === 'diff');
          const href = hrefOf(tablePlace(path, { tab: tab as TableTab, ...(version ? { version } : {}) }));
          return html`<a href=${href} aria-current=${isHere ? 'page' : nothing}
            >${name}${tab === 'history' ? html` <span class="quiet">${count(listed.version)}</span>` : nothing}</a
          >`;
        })}
      </nav>`;
  }

  #oldVersion(version: number, latest: number) {
    const { path } = this.place;
    const toLatest = html`<a href=${hrefOf(tablePlace(path))}>Go to the latest</a>`;
    if (version > latest)
      return html`<div class="note" role="note">
        <span>There is no version ${version}; the latest is ${latest}.</span>
        ${toLatest}
      </div>`;
    return html`<div class="note" role="note">
      <span>This is version ${version}; the latest is ${latest}.</span>
      ${toLatest}
      <a href=${hrefOf(tablePlace(path, { tab: 'diff', from: version, to: latest }))}>What changed since</a>
    </div>`;
  }

  #tab({ listed, versions, notice }: Facts) {
    const { context, place } = this;
    switch (place.tab) {
      case 'rows':
        return html`<st-rows-tab .context=${context} .place=${place} .latest=${listed.version}></st-rows-tab>`;
      case 'columns':
        return html`<st-columns-tab .context=${context} .place=${place} .latest=${listed.version}></st-columns-tab>`;
      case 'history':
        return html`<st-history-tab
          .context=${context}
          .path=${place.path}
          .versions=${versions}
          .notice=${notice ?? ''}
        ></st-history-tab>`;
      case 'diff':
        return html`<st-diff-tab .context=${context} .place=${place} .versions=${versions}></st-diff-tab>`;
    }
  }

  async #describe(description: string, before: string): Promise<void> {
    const { tables } = this.context;
    const { path: table } = this.place;
    const set = async (text: string) => {
      await tables.tool('update_table_info', { table, description: text });
      this.#showDescription(text);
      this.load();
    };
    if (!(await this.context.attempt(() => set(description)))) return;
    this.context.notify({ text: 'Description saved.', undo: () => set(before) });
  }

  /** At once, whatever else is being fetched: a field that is bound to what it was would not be drawn anew. */
  #showDescription(description: string): void {
    const { value } = this.#facts;
    if (value) this.#facts.value = { ...value, listed: { ...value.listed, description } };
    this.requestUpdate();
  }
}

function listedFrom(path: string, { version, rows, made_at, made_by }: VersionShown): ListedTable {
  return { path, version, rows, columns: 0, bytes: 0, changed_at: made_at, changed_by: made_by };
}

function sampleSql(path: string, version: number | undefined): string {
  return `SELECT *\nFROM "${path}${version ? `@${version}` : ''}"\nLIMIT 100`;
}

customElements.define('st-table-page', TablePage);

/** <st-tables-page>: the tables of a folder, found by their words, with what changed last and by whom. */
import { html, nothing } from 'lit';
import { under } from '../../base.ts';
import { repeat } from 'lit/directives/repeat.js';
import { hrefOf, type Place, tablePlace } from '../base/address.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { type Folder, levelOf } from '../base/folders.ts';
import { Page } from '../base/page.ts';
import { crumbs, moment, pathShown, searchField } from '../base/shown.ts';
import type { ListedTable } from '../../../wasm/answers.ts';
import { count, counted, sizeText, who } from '../base/words.ts';
import { loadSample, samplePath } from '../samples.ts';

type TablesPlace = Extract<Place, { page: 'tables' }>;

interface Listing {
  tables: ListedTable[];
  total: number;
  trashed: number;
}

// So few tables are better seen at once than folder by folder.
const flatMax = 30;

export class TablesPage extends Page<TablesPlace> {
  #listing = new Fetching<Listing>(this, 'Listing tables');
  #sample = new Fetching<void>(this, 'Writing the sample table');

  override get heading(): string {
    return this.place.folder || 'Tables';
  }

  protected override load(): void {
    const { tables } = this.context;
    const { folder, search } = this.place;
    void this.#listing.run(async (options) => {
      const [{ tables: listed, total }, { trashed }] = await Promise.all([
        tables.list({ ...(folder ? { path: folder } : {}), ...(search ? { search } : {}) }, options),
        tables.counts(options),
      ]);
      return { tables: listed, total, trashed };
    });
  }

  override render() {
    const { value, error, bar } = this.#listing;
    const { folder, search } = this.place;
    const isEmpty = value?.total === 0 && !folder && !search;
    return html`<div class="page">
      <header class="page-head">
        <h1>${folder ? crumbs(folder) : 'Tables'}</h1>
        ${isEmpty ? nothing : this.#tools(search)}
      </header>
      ${bar} ${error ? refusalShown(error) : nothing}
      ${isEmpty ? this.#firstSteps() : value ? this.#listed(value) : nothing} ${value ? this.#foot(value) : nothing}
    </div>`;
  }

  #tools(search: string) {
    return html`<div class="page-tools">
      ${searchField('Search tables', search, (text) => this.#search(text))}
      <a class="button" href=${hrefOf({ page: 'import', url: '' })}>Import</a>
    </div>`;
  }

  #search(search: string): void {
    this.context.amend({ ...this.place, search });
  }

  #listed({ tables, total }: Listing) {
    const { folder, search } = this.place;
    const isFlat = search !== '' || tables.length <= flatMax;
    const { folders, here } = isFlat ? { folders: [], here: tables } : levelOf(tables, folder);
    if (tables.length === 0)
      return html`<p class="empty">
        No table
        ${search ? html`has “${search}” in its path or description` : 'lies here'}${folder ? html` in <bdi>${folder}</bdi>` : ''}.
      </p>`;
    return html`<table class="list tables">
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col" class="number">Rows</th>
            <th scope="col" class="number wide">Columns</th>
            <th scope="col" class="number wide">Size</th>
            <th scope="col">Last change</th>
          </tr>
        </thead>
        <tbody>
          ${folders.map((one) => this.#folderRow(one))}
          ${repeat(
            here,
            ({ path }) => path,
            (table) => this.#tableRow(table),
          )}
        </tbody>
      </table>
      ${
        total > tables.length
          ? html`<p class="quiet">
              ${count(tables.length)} of ${counted(total, 'table')} are shown. Search for the others, or open a folder.
            </p>`
          : nothing
      }`;
  }

  #folderRow({ name, tables, rows }: Folder) {
    const { folder } = this.place;
    const href = hrefOf({ page: 'tables', folder: folder ? `${folder}/${name}` : name, search: '' });
    return html`<tr>
      <td>
        <a href=${href} data-row><bdi class="path">${name}/</bdi></a>
        <p class="quiet">${counted(tables, 'table')}</p>
      </td>
      <td class="number">${count(rows)}</td>
      <td class="wide"></td>
      <td class="wide"></td>
      <td></td>
    </tr>`;
  }

  #tableRow({ path, description, rows, columns, bytes, version, changed_at, changed_by, message }: ListedTable) {
    return html`<tr>
      <td>
        <a href=${hrefOf(tablePlace(path))} data-row>${pathShown(path)}</a>
        ${description ? html`<p class="quiet">${description}</p>` : nothing}
      </td>
      <td class="number">${count(rows)}</td>
      <td class="number wide">${count(columns)}</td>
      <td class="number wide">${sizeText(bytes)}</td>
      <td>
        ${moment(changed_at)} by ${who(changed_by)}
        <p class="quiet">Version ${version}${message ? html`: ${message}` : nothing}</p>
      </td>
    </tr>`;
  }

  #firstSteps() {
    return html`<section class="first-steps">
      <p class="lead">No tables yet. An agent can make one, or you can; they stay in this browser.</p>
      <ol>
        <li>
          <h2>Look around with a sample</h2>
          <p>A small table of invented orders, with a history to look at.</p>
          <button type="button" class="primary" ?disabled=${this.#sample.isBusy} @click=${() => this.#loadSample()}>
            Load the sample table
          </button>
          ${this.#sample.bar} ${this.#sample.error ? refusalShown(this.#sample.error) : nothing}
        </li>
        <li>
          <h2>Bring a file</h2>
          <p>
            Drop a CSV, JSON, Parquet or Excel file anywhere on this page. You see what was understood before anything
            is written.
          </p>
          <a class="button" href=${under('import')}>Choose a file</a>
        </li>
        <li>
          <h2>Let an agent in</h2>
          <p>Agents in this browser read and write tables here once you allow them to.</p>
          <a class="button" href=${under('agents')}>Connect an agent</a>
        </li>
      </ol>
    </section>`;
  }

  async #loadSample(): Promise<void> {
    await this.#sample.run(() => loadSample(this.context.tables));
    if (!this.#sample.error) this.context.go(tablePlace(samplePath));
  }

  #foot({ total, trashed }: Listing) {
    if (total === 0 && trashed === 0) return nothing;
    return html`<p class="foot quiet">
      ${total > 0 ? counted(total, 'table') : nothing}${
        trashed > 0
          ? html`${total > 0 ? ' · ' : ''}<a href=${under('trash')}>${counted(trashed, 'table')} in the trash</a>`
          : nothing
      }
    </p>`;
  }
}

customElements.define('st-tables-page', TablesPage);

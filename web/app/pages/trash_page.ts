/** <st-trash-page>: what was deleted, and the way back. Nothing is ever emptied from here. */
import { html, nothing } from 'lit';
import { under } from '../../base.ts';
import { tablePlace } from '../base/address.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { Page } from '../base/page.ts';
import { moment, pathShown } from '../base/shown.ts';
import { count, counted, sizeText } from '../base/words.ts';
import type { TrashAnswer } from '../../../wasm/views.ts';

export class TrashPage extends Page {
  #trash = new Fetching<TrashAnswer>(this, 'Looking into the trash');

  override get heading(): string {
    return 'Trash';
  }

  protected override load(): void {
    void this.#trash.run((options) => this.context.tables.trash(options));
  }

  override render() {
    const { value, error, bar } = this.#trash;
    return html`<div class="page">
      <header class="page-head">
        <h1><a href=${under('')}>Tables</a><span class="quiet"> / </span>Trash</h1>
      </header>
      <p class="quiet">Deleted tables keep all their versions. Restoring one puts it back under its path.</p>
      ${bar} ${error ? refusalShown(error) : nothing}
      ${value?.tables.length === 0 ? html`<p class="empty">The trash is empty.</p>` : nothing}
      ${value?.tables.length ? this.#listed(value) : nothing}
    </div>`;
  }

  #listed({ tables }: TrashAnswer) {
    return html`<table class="list">
      <thead>
        <tr>
          <th scope="col">Table</th>
          <th scope="col" class="number">Rows</th>
          <th scope="col" class="number wide">Size</th>
          <th scope="col">Deleted</th>
          <th scope="col"><span class="unseen">Restore</span></th>
        </tr>
      </thead>
      <tbody>
        ${tables.map(
          ({ path, version, rows, bytes, trashed_at }) =>
            html`<tr>
              <td>
                ${pathShown(path)}
                <p class="quiet">${counted(version, 'version')}</p>
              </td>
              <td class="number">${count(rows)}</td>
              <td class="number wide">${sizeText(bytes)}</td>
              <td>${moment(trashed_at)}</td>
              <td class="row-actions">
                <button type="button" data-row @click=${() => this.#restore(path, version)}>Restore</button>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  async #restore(path: string, version: number): Promise<void> {
    const { tables } = this.context;
    const isDone = await this.context.attempt(() => tables.restore(path, version));
    if (!isDone) return;
    this.load();
    this.context.notify({
      text: `${path} is back.`,
      undo: () => tables.tool('delete_table', { table: path }),
    });
    this.context.go(tablePlace(path));
  }
}

customElements.define('st-trash-page', TrashPage);

/** <st-diff-tab>: what two versions differ in: columns first, then rows added and removed, then cells with old and new. */
import { html, nothing, type PropertyValues } from 'lit';
import { type TablePlace, tablePlace } from '../base/address.ts';
import type { AppContext } from '../base/context.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import { LightElement } from '../base/light_element.ts';
import type { VersionShown } from '../../../wasm/answers.ts';
import { cellText, count, kindOf, typeWord, who } from '../base/words.ts';
import type { DiffAnswer, RowChange, ViewColumn } from '../../../wasm/views.ts';
import { restoreWithUndo } from './history_tab.ts';

const rowsAtOnce = 100;
const changeWords = { added: 'added', removed: 'removed', changed: 'changed' } as const;
const changeSigns = { added: '+', removed: '−', changed: '~' } as const;

export class DiffTab extends LightElement {
  static override properties = {
    context: { attribute: false },
    place: { attribute: false },
    versions: { attribute: false },
  };
  declare context: AppContext;
  declare place: TablePlace;
  declare versions: VersionShown[];
  #diff = new Fetching<DiffAnswer>(this, 'Comparing versions');

  get #ends(): { from: number; to: number } {
    const latest = this.versions[0]!.version;
    const to = this.place.to ?? latest;
    return { from: this.place.from ?? Math.max(1, to - 1), to };
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('place')) void this.#load(0);
  }

  #load(offset: number): Promise<unknown> {
    const before = this.#diff.value;
    return this.#diff.run(async (options) => {
      const wanted = { table: this.place.path, ...this.#ends, offset, limit: rowsAtOnce };
      const answer = await this.context.tables.diff(wanted, options);
      return offset > 0 && before ? { ...answer, rows: [...before.rows, ...answer.rows] } : answer;
    });
  }

  override render() {
    const { value, error, bar } = this.#diff;
    const { from, to } = this.#ends;
    return html`<div class="diff">
      <div class="diff-ends">
        <label>From ${this.#choice('from', from)}</label>
        <label>To ${this.#choice('to', to)}</label>
        <button
          type="button"
          @click=${() => restoreWithUndo(this.context, this.place.path, from, this.versions[0]!.version)}
        >
          Restore version ${from}
        </button>
      </div>
      ${bar} ${error ? refusalShown(error) : nothing} ${value && !error ? this.#shown(value) : nothing}
    </div>`;
  }

  #choice(end: 'from' | 'to', chosen: number) {
    return html`<select
      aria-label=${end === 'from' ? 'From version' : 'To version'}
      @change=${(event: Event) => this.#choose(end, Number((event.target as HTMLSelectElement).value))}
    >
      ${this.versions.map(
        ({ version, made_by, message }) =>
          html`<option value=${version} ?selected=${version === chosen}>
            ${version}, by ${who(made_by)}${message ? `: ${message.slice(0, 40)}` : ''}
          </option>`,
      )}
    </select>`;
  }

  #choose(end: 'from' | 'to', version: number): void {
    this.context.go(tablePlace(this.place.path, { tab: 'diff', ...this.#ends, [end]: version }));
  }

  #shown(diff: DiffAnswer) {
    const { counts, columns, rows, columns_shown: shown, key_columns: keys } = diff;
    const total = counts.added + counts.removed + counts.changed;
    return html`<p class="diff-counts">
        ${(['added', 'removed', 'changed'] as const).map(
          (change) =>
            html`<span data-change=${change}><strong>${count(counts[change])}</strong> ${changeWords[change]}</span>`,
        )}
        ${keys.length ? html`<span class="quiet">rows matched by <bdi>${keys.join(', ')}</bdi></span>` : nothing}
      </p>
      ${this.#columns(columns)} ${total === 0 ? html`<p class="empty">No row differs.</p>` : this.#rows(rows, shown)}
      ${
        rows.length < total
          ? html`<p>
              <button type="button" @click=${() => this.#load(rows.length)}>Show more</button>
              <span class="quiet">${count(rows.length)} of ${count(total)} are shown.</span>
            </p>`
          : nothing
      }`;
  }

  #columns({ added, removed, retyped, renamed }: DiffAnswer['columns']) {
    if (added.length + removed.length + retyped.length + renamed.length === 0) return nothing;
    return html`<ul class="diff-columns">
      ${added.map(({ name, type }) => html`<li data-change="added">Column <bdi>${name}</bdi> added, ${typeWord(type)}</li>`)}
      ${removed.map(({ name, type }) => html`<li data-change="removed">Column <bdi>${name}</bdi> removed, ${typeWord(type)}</li>`)}
      ${retyped.map(({ name, from, to }) => html`<li data-change="changed">Column <bdi>${name}</bdi>: ${from} became ${to}</li>`)}
      ${renamed.map(({ from, to }) => html`<li data-change="changed">Column <bdi>${from}</bdi> is now <bdi>${to}</bdi></li>`)}
    </ul>`;
  }

  #rows(rows: RowChange[], columns: ViewColumn[]) {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Rows that differ">
      <table class="diff-rows">
        <thead>
          <tr>
            <th scope="col"><span class="unseen">Change</span></th>
            ${columns.map(({ name, type }) => html`<th scope="col" data-kind=${kindOf(type)}><bdi>${name}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr data-change=${row.change}>
                <th scope="row">
                  <span aria-hidden="true">${changeSigns[row.change]}</span
                  ><span class="unseen">${changeWords[row.change]}</span>
                </th>
                ${columns.map((column, x) => diffCell(row, column, x))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

function diffCell({ change, before, after }: RowChange, { type }: ViewColumn, x: number) {
  const old = before?.[x];
  const now = after?.[x];
  const kind = kindOf(type);
  if (change !== 'changed' || JSON.stringify(old) === JSON.stringify(now))
    return html`<td data-kind=${kind}>${valueShown(change === 'removed' ? old : now)}</td>`;
  return html`<td data-kind=${kind} class="changed-cell">
    <del>${valueShown(old)}</del><span class="quiet" aria-hidden="true"> → </span><ins>${valueShown(now)}</ins>
  </td>`;
}

function valueShown(value: unknown) {
  return value === null || value === undefined
    ? html`<span class="null">null</span>`
    : html`<bdi>${cellText(value)}</bdi>`;
}

customElements.define('st-diff-tab', DiffTab);

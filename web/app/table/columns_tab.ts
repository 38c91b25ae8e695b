/** <st-columns-tab>: the schema: each column's type, what is in it, and what it means, which is edited in place. */
import { html, nothing, type PropertyValues } from 'lit';
import '../base/editable.ts';
import { Fetching, refusalShown } from '../base/fetching.ts';
import type { Described, DescribedColumn } from '../../../wasm/answers.ts';
import { cellText, count, typeWord } from '../base/words.ts';
import { barsOf, nullShare, sparkOf } from '../grid/spark.ts';
import { VersionTab } from './version_tab.ts';

export class ColumnsTab extends VersionTab {
  #described = new Fetching<Described>(this, 'Profiling columns');

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('place') || changed.has('latest')) this.#load();
  }

  #load(): void {
    const { path } = this.place;
    void this.#described.run((options) => this.context.tables.describe(path, this.version, options));
  }

  override render() {
    const { value, error, bar } = this.#described;
    return html`${bar} ${error ? refusalShown(error) : nothing} ${value ? this.#table(value) : nothing}`;
  }

  #table({ columns, rows }: Described) {
    return html`<table class="list columns">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
          <th scope="col">Values</th>
          <th scope="col" class="number">Null</th>
        </tr>
      </thead>
      <tbody>
        ${columns.map((column) => this.#row(column, rows))}
      </tbody>
    </table>`;
  }

  #row(column: DescribedColumn, rows: number) {
    const { name, type, description = '' } = column;
    const bars = barsOf(column);
    return html`<tr>
      <th scope="row"><bdi>${name}</bdi></th>
      <td>
        ${typeWord(type)}
        <p class="quiet code">${type}</p>
      </td>
      <td>
        <st-editable
          .text=${description}
          .label=${`the meaning of ${name}`}
          empty="Describe"
          @st-edited=${({ detail }: CustomEvent<string>) => this.#describe(name, detail, description)}
        ></st-editable>
      </td>
      <td class="values">
        ${bars.length ? sparkOf(bars) : nothing}
        <p class="quiet">${valuesText(column)}</p>
      </td>
      <td class="number">${nullShare(column, rows) ?? ''}</td>
    </tr>`;
  }

  async #describe(column: string, text: string, before: string): Promise<void> {
    const { tables } = this.context;
    const set = async (meaning: string) => {
      await tables.tool('update_table_info', {
        table: this.place.path,
        column_descriptions: { [column]: meaning },
      });
      this.#showMeaning(column, meaning);
      this.#load();
    };
    if (!(await this.context.attempt(() => set(text)))) return;
    this.context.notify({ text: `Meaning of ${column} saved.`, undo: () => set(before) });
  }

  /** At once, whatever else is being fetched: a field that is bound to what it was would not be drawn anew. */
  #showMeaning(name: string, description: string): void {
    const { value } = this.#described;
    if (!value) return;
    const columns = value.columns.map((column) => (column.name === name ? { ...column, description } : column));
    this.#described.value = { ...value, columns };
    this.requestUpdate();
  }
}

/** What a column holds in a line: its range, or its most frequent values. */
function valuesText({ distinct, min, max, top }: DescribedColumn): string {
  const parts: string[] = [];
  if (distinct !== undefined) parts.push(`${count(distinct)} different`);
  if (min !== undefined) parts.push(`${cellText(min)} to ${cellText(max)}`);
  else if (top?.length)
    parts.push(
      top
        .slice(0, 3)
        .map(([value, number]) => `${cellText(value) || 'empty'} ${count(number)}`)
        .join(', '),
    );
  return parts.join('; ');
}

customElements.define('st-columns-tab', ColumnsTab);

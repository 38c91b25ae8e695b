/** A column's head in three rows: its name, which sorts, and its filter; its type and share of nulls; its distribution. */
import { html, nothing, render } from 'lit';
import type { Order } from '../base/address.ts';
import type { DescribedColumn } from '../../../wasm/answers.ts';
import { kindOf, typeWord, type ValueKind } from '../base/words.ts';
import type { ViewColumn } from '../../../wasm/views.ts';
import { barsOf, nullShare, profileText, sparkOf } from './spark.ts';

export interface HeadActions {
  /** Absent where rows cannot be sorted. */
  sort?: (column: string, isAdditional: boolean) => void;
  menu?: (column: string, anchor: HTMLElement) => void;
}

export interface HeadState {
  order: Order[];
  filtered: Set<string>;
  profile?: DescribedColumn | undefined;
  rows: number;
}

/** An element for each row of the head. They are drawn again in place, so that the grid keeps them. */
export class ColumnHead {
  readonly name = document.createElement('div');
  readonly facts = document.createElement('div');
  readonly profile = document.createElement('div');
  readonly column: ViewColumn;
  readonly kind: ValueKind;
  #actions: HeadActions;

  constructor(column: ViewColumn, actions: HeadActions) {
    this.column = column;
    this.kind = kindOf(column.type);
    this.#actions = actions;
    this.name.className = 'head-name';
    this.facts.className = 'head-facts';
    this.profile.className = 'head-profile';
  }

  draw({ order, filtered, profile, rows }: HeadState): void {
    const { name } = this.column;
    const { sort, menu } = this.#actions;
    const place = order.findIndex(({ column }) => column === name);
    const direction = place < 0 ? undefined : order[place]!.descending ? 'descending' : 'ascending';
    this.name.dataset.sort = direction ?? '';
    const meaning = profile?.description ? `${name}: ${profile.description}` : name;
    const mark = direction ? (direction === 'ascending' ? '↑' : '↓') : '';
    const label = html`<bdi>${name}</bdi>${
        mark ? html`<span class="mark" aria-hidden="true">${mark}${order.length > 1 ? place + 1 : ''}</span>` : nothing
      }`;
    render(
      html`${
        sort
          ? html`<button
              type="button"
              class="sort"
              title=${meaning}
              @click=${(event: MouseEvent) => sort(name, event.shiftKey)}
            >
              ${label}
            </button>`
          : html`<span class="sort" title=${meaning}>${label}</span>`
      }
      ${
        menu
          ? html`<button
              type="button"
              class="filter"
              aria-label=${`Filter ${name}`}
              aria-pressed=${filtered.has(name) ? 'true' : 'false'}
              @click=${(event: Event) => menu(name, event.currentTarget as HTMLElement)}
            >
              <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                <path d="M1 2h10L7 6.5V10L5 11V6.5z"></path>
              </svg>
            </button>`
          : nothing
      }`,
      this.name,
    );
    const share = profile && nullShare(profile, rows);
    const inWords = [this.column.type, profile && profileText(profile, rows)].filter(Boolean).join(': ');
    this.facts.title = this.profile.title = inWords;
    render(
      html`<span>${typeWord(this.column.type)}</span>${share ? html`<span>${share} null</span>` : nothing}`,
      this.facts,
    );
    const bars = profile ? barsOf(profile) : [];
    render(bars.length > 0 ? sparkOf(bars) : nothing, this.profile);
  }
}

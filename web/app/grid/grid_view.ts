/** <st-grid-view>: a grid with the panel that shows one of its rows whole. */
import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { LightElement } from '../base/light_element.ts';
import './grid.ts';
import type { Grid, GridModel } from './grid.ts';
import './record.ts';
import type { RecordPanel } from './record.ts';
import type { Position } from './selection.ts';

export class GridView extends LightElement {
  static override properties = { model: { attribute: false }, opened: { state: true } };
  declare model: GridModel | undefined;
  declare private opened: Position | undefined;
  #grid = createRef<Grid>();
  #record = createRef<RecordPanel>();

  override willUpdate(changed: Map<string, unknown>): void {
    const before = changed.get('model') as GridModel | undefined;
    if (before && before.subject !== this.model?.subject) this.opened = undefined;
  }

  override render() {
    const { model, opened } = this;
    if (!model) return nothing;
    const withOpening: GridModel = { ...model, open: (position) => this.#open(position) };
    return html`<div class="grid-view">
      <st-grid .model=${withOpening} @st-rows=${() => this.opened && this.requestUpdate()} ${ref(this.#grid)}></st-grid>
      ${
        opened
          ? html`<st-record
              .shown=${{ columns: model.columns, row: model.source.row(opened.y), ...opened, meanings: meaningsOf(model) }}
              @st-close=${() => this.#close()}
              @st-step=${({ detail }: CustomEvent<number>) => this.#step(detail)}
              ${ref(this.#record)}
            ></st-record>`
          : nothing
      }
    </div>`;
  }

  focusGrid(): void {
    this.#grid.value?.focus();
  }

  #open(position: Position): void {
    const wasOpen = this.opened !== undefined;
    this.opened = position;
    if (!wasOpen) void this.updateComplete.then(() => this.#record.value?.focus());
  }

  #close(): void {
    this.opened = undefined;
    this.#grid.value?.focus();
  }

  #step(by: number): void {
    const y = Math.max(0, Math.min(this.model!.source.total - 1, this.opened!.y + by));
    this.opened = { x: this.opened!.x, y };
    this.model!.source.want(y, y + 1);
    this.#grid.value?.moveTo(this.opened);
    this.#record.value?.focus();
  }
}

function meaningsOf({ profiles }: GridModel): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const [name, { description }] of profiles ?? []) if (description) meanings.set(name, description);
  return meanings;
}

customElements.define('st-grid-view', GridView);

declare global {
  interface HTMLElementTagNameMap {
    'st-grid-view': GridView;
  }
}

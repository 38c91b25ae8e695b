/**
 * <st-grid>: a rectangle of rows, drawn by regular-table only where it is in sight. Keys and selection are a spreadsheet's.
 * It asks nothing of the core: its RowSource does.
 */
import 'regular-table';
import type { RegularTableElement } from 'regular-table/dist/esm/regular-table.d.ts';
import type { DataResponse } from 'regular-table/dist/esm/types.d.ts';
import type { Order } from '../base/address.ts';
import type { DescribedColumn } from '../../../wasm/answers.ts';
import { cellText, count } from '../base/words.ts';
import type { ViewColumn } from '../../../wasm/views.ts';
import { CellRoles, type CellState, rowHeaders } from './cell_roles.ts';
import { ColumnHead, type HeadActions } from './column_head.ts';
import { copied, copyRows, notCopied } from './copy.ts';
import type { RowSource } from './row_source.ts';
import { columnWidth, type Geometry, rowsInSight, scrollTopShowing } from './scrolling.ts';
import { moved, type Position, rectangleOf, type Selection } from './selection.ts';

export interface GridModel extends HeadActions {
  label: string;
  /** What the rows are: while it stays the same, as for a table's next version, the grid stays where it was scrolled to. */
  subject: string;
  columns: ViewColumn[];
  source: RowSource;
  order?: Order[];
  filtered?: Set<string>;
  profiles?: Map<string, DescribedColumn>;
  /** Of the table, for shares of nulls. */
  rowsInAll?: number;
  /** Rows that come before the first one here, as they are numbered. */
  rowsBefore?: number;
  /** Enter on a cell, or a double click. */
  open?: (position: Position) => void;
}

const lettersMax = 300;
const scrollBarPx = 18;
/** Of the grid's text, where the browser's own is at its usual 16. */
const usualFontPx = 14;

export class Grid extends HTMLElement {
  #table: RegularTableElement | undefined;
  #live = document.createElement('p');
  #model: GridModel | undefined;
  #heads: ColumnHead[] = [];
  #selection: Selection = { anchor: { x: 0, y: 0 }, cursor: { x: 0, y: 0 } };
  #roles = new CellRoles();
  #resizing = new ResizeObserver(() => this.#resized());
  #width = 0;
  #isDragging = false;
  #headRows = 2;
  /** Of the text that the columns are sized for. */
  #scale = 1;

  get model(): GridModel | undefined {
    return this.#model;
  }

  set model(model: GridModel | undefined) {
    const before = this.#model;
    this.#model = model;
    if (before && before.source !== model?.source) before.source.close();
    if (this.#table && model) this.#show(model, before);
  }

  get cursor(): Position {
    return this.#selection.cursor;
  }

  connectedCallback(): void {
    if (!this.#table) this.#build();
    this.#resizing.observe(this);
    if (this.#model) this.#show(this.#model, undefined);
  }

  disconnectedCallback(): void {
    this.#resizing.disconnect();
    this.#model?.source.close();
  }

  override focus(): void {
    this.dataset.used = '';
    this.#focusCursor(true);
  }

  /** Moves the cursor, and brings it into sight. */
  moveTo(cursor: Position): void {
    this.#select({ anchor: cursor, cursor });
  }

  #build(): void {
    const table = document.createElement('regular-table') as RegularTableElement;
    this.#live.className = 'unseen';
    this.#live.setAttribute('role', 'status');
    this.append(table, this.#live);
    this.#table = table;
    // Scrolled sideways by left offsets, which have no right-to-left form: the cells' own text still runs as it should.
    table.dir = 'ltr';
    table.tabIndex = -1;
    table.addStyleListener(() => this.#style());
    // Without the classes a width holds for heads alone, and cells with longer values push their column wider.
    table.setDataListener((x0, y0, x1, y1) => Promise.resolve(this.#slice(x0, y0, x1, y1)), { column_classes: true });
    table.addEventListener('keydown', (event) => this.#onKey(event));
    table.addEventListener('mousedown', (event) => this.#onMouse(event));
    table.addEventListener('mouseover', (event) => this.#onDrag(event));
    table.addEventListener('dblclick', (event) => this.#onDouble(event));
    table.addEventListener('click', (event) => {
      if ((event as PointerEvent).pointerType === 'touch') this.#onDouble(event);
    });
    this.addEventListener('copy', (event) => this.#onCopy(event));
    document.addEventListener('mouseup', () => (this.#isDragging = false));
  }

  #show(model: GridModel, before: GridModel | undefined): void {
    this.#headRows = model.profiles ? 3 : 2;
    const isSameShape = before !== undefined && sameColumns(before.columns, model.columns);
    if (!isSameShape) {
      this.#heads = model.columns.map((column) => new ColumnHead(column, model));
      this.#selection = { anchor: { x: 0, y: 0 }, cursor: { x: 0, y: 0 } };
    }
    const state = {
      order: model.order ?? [],
      filtered: model.filtered ?? new Set<string>(),
      rows: model.rowsInAll ?? model.source.total,
    };
    for (const head of this.#heads) head.draw({ ...state, profile: model.profiles?.get(head.column.name) });
    if (before?.source !== model.source) {
      model.source.onRows = () => this.#onRows();
      this.#roles.forget();
      if (before && before.subject !== model.subject) this.#table!.scrollTop = 0;
      if (!isSameShape) {
        this.#table!.scrollLeft = 0;
        this.#sizeColumns();
      }
    }
    this.#fit();
    this.#redraw();
  }

  /** As high and as wide as its rows need, up to what its place allows. */
  #fit(): void {
    const rows = this.#model!.source.total + this.#headRows;
    const width = Object.values(this.#table!.saveColumnSizes()).reduce((sum, one) => sum + one, 0) + scrollBarPx;
    this.dataset.head = String(this.#headRows);
    this.style.setProperty('--st-grid-rows', String(Math.min(rows, 10_000)));
    this.style.setProperty('--st-grid-width', `${width}px`);
    const isCut = this.clientWidth > 0 && width > this.clientWidth + scrollBarPx;
    this.style.setProperty('--st-grid-extra', isCut ? `${scrollBarPx}px` : '3px');
  }

  #resized(): void {
    if (this.#model) {
      if (this.#scale !== this.#textScale) this.#sizeColumns();
      this.#fit();
    }
    this.#redraw();
  }

  /** How large text is: widths are known for its usual size, and the person's browser may have another. */
  get #textScale(): number {
    return parseFloat(getComputedStyle(this.#table!).fontSize) / usualFontPx || 1;
  }

  #sizeColumns(): void {
    const { source, columns } = this.#model!;
    const sample: unknown[][] = [];
    for (let y = 0; y < Math.min(100, source.total); ++y) {
      const row = source.row(y);
      if (row) sample.push(row);
    }
    const scale = (this.#scale = this.#textScale);
    const widths: Record<number, number> = { 0: scale * (count(source.total).length * 8 + 24) };
    for (const [x, { name }] of columns.entries())
      widths[x + rowHeaders] = Math.round(
        scale *
          columnWidth(
            name,
            sample.map((row) => cellText(row[x])),
          ),
      );
    this.#table!.resetAutoSize();
    this.#table!.restoreColumnSizes(widths);
  }

  #onRows(): void {
    this.#fit();
    this.#redraw();
    this.dispatchEvent(new Event('st-rows'));
  }

  #redraw(): void {
    if (!this.#model || !this.isConnected || this.clientWidth === 0) return;
    const width = this.clientWidth;
    void this.#table!.draw({ invalid_viewport: true, preserve_width: width === this.#width });
    this.#width = width;
  }

  #slice(x0: number, y0: number, x1: number, y1: number): DataResponse {
    const { source, columns, rowsBefore } = this.#model!;
    const end = Math.min(y1, source.total);
    if (end > y0) source.want(y0, end);
    const rows: (unknown[] | undefined)[] = [];
    const rowHeads: string[][] = [];
    for (let y = y0; y < end; ++y) {
      rows.push(source.row(y));
      rowHeads.push([count((rowsBefore ?? 0) + y + 1)]);
    }
    const data: string[][] = [];
    const metadata: CellState[][] = [];
    const columnHeads: HTMLElement[][] = [];
    for (let x = x0; x < Math.min(x1, columns.length); ++x) {
      data.push(rows.map((row) => (row ? shortText(row[x]) : '')));
      metadata.push(rows.map((row) => (row === undefined ? 'pending' : row[x] === null ? 'null' : 'value')));
      const head = this.#heads[x]!;
      columnHeads.push([head.name, head.facts, head.profile].slice(0, this.#headRows));
    }
    return {
      num_rows: source.total,
      num_columns: columns.length,
      num_row_headers: rowHeaders,
      num_column_headers: this.#headRows,
      row_headers: rowHeads,
      // Its types know of text alone; elements are drawn as they are.
      column_headers: columnHeads as unknown as string[][],
      data,
      metadata,
    };
  }

  #style(): void {
    const table = this.#table!.querySelector('table');
    if (!table || !this.#model) return;
    this.#roles.write(this.#table!, table, {
      model: this.#model,
      heads: this.#heads,
      headRows: this.#headRows,
      selection: this.#selection,
    });
    this.#focusCursor(false);
  }

  #cellAt({ x, y }: Position): HTMLElement | undefined {
    for (const cell of this.#table!.querySelectorAll<HTMLElement>('tbody td.cursor')) {
      const meta = this.#table!.getMeta(cell);
      if (meta?.type === 'body' && meta.x === x && meta.y === y) return cell;
    }
    return undefined;
  }

  /** Focus stays with the cursor while cells are drawn anew; out of sight it waits at the scrolling element. */
  #focusCursor(isWanted: boolean): void {
    if (!isWanted && !this.#table!.contains(this.#focused)) return;
    if (!isWanted && this.#focused?.closest('thead')) return;
    const cell = this.#cellAt(this.cursor);
    (cell ?? this.#table!).focus({ preventScroll: true });
  }

  /** What has the focus here: within a shadow root the document itself names its host. */
  get #focused(): Element | null {
    return (this.getRootNode() as Document | ShadowRoot).activeElement;
  }

  get #geometry(): Geometry {
    const table = this.#table!;
    return {
      rows: this.#model!.source.total,
      rowHeight: table.querySelector('tbody tr')?.getBoundingClientRect().height || 28,
      headRows: this.#headRows,
      height: table.clientHeight,
      panelHeight: table.scrollHeight,
    };
  }

  #select(selection: Selection): void {
    this.#selection = selection;
    this.dataset.used = '';
    this.#scrollTo(selection.cursor);
    const held = this.#focused;
    this.#style();
    this.#focusCursor(true);
    // The cell that holds focus is the same element with another value when the grid scrolled beneath it.
    if (held === this.#focused) this.#announce();
  }

  #announce(): void {
    const { x, y } = this.cursor;
    const row = this.#model!.source.row(y);
    this.#live.textContent = `Row ${count(y + 1)}, ${this.#model!.columns[x]?.name ?? ''}: ${row ? cellText(row[x]) || 'empty' : 'loading'}`;
  }

  #scrollTo({ x, y }: Position): void {
    const table = this.#table!;
    const top = scrollTopShowing(y, table.scrollTop, this.#geometry);
    if (top !== undefined) table.scrollTop = top;
    const widths = table.saveColumnSizes();
    let left = 0;
    for (let i = 0; i < x; ++i) left += widths[i + rowHeaders] ?? 60;
    const room = table.clientWidth - (widths[0] ?? 0);
    const width = widths[x + rowHeaders] ?? 60;
    if (left < table.scrollLeft) table.scrollLeft = left;
    else if (left + width > table.scrollLeft + room) table.scrollLeft = left + width - room;
  }

  #onKey(event: KeyboardEvent): void {
    if (!this.#model || (event.target as Element).closest('thead')) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === 'a') {
      event.preventDefault();
      const { columns, source } = this.#model;
      this.#selection = { anchor: { x: columns.length - 1, y: source.total - 1 }, cursor: { x: 0, y: 0 } };
      this.#style();
      return;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#model.open?.(this.cursor);
      return;
    }
    if (control && (event.key === 'j' || event.key === 'k')) return;
    const pressed = { key: event.key, shift: event.shiftKey, control, rightToLeft: false };
    const visible = Math.max(1, Math.floor(rowsInSight(this.#geometry)) - 1);
    const extent = { columns: this.#model.columns.length, rows: this.#model.source.total, visible };
    const next = moved(this.#selection, pressed, extent);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    this.#select(next);
  }

  #positionOf(event: MouseEvent): Position | undefined {
    const cell = (event.target as Element).closest<HTMLElement>('td');
    const meta = cell ? this.#table!.getMeta(cell) : undefined;
    return meta?.type === 'body' ? { x: meta.x, y: meta.y } : undefined;
  }

  #onMouse(event: MouseEvent): void {
    const cursor = event.button === 0 ? this.#positionOf(event) : undefined;
    if (!cursor) return;
    event.preventDefault();
    this.#isDragging = true;
    this.#select({ anchor: event.shiftKey ? this.#selection.anchor : cursor, cursor });
  }

  #onDrag(event: MouseEvent): void {
    const cursor = this.#isDragging ? this.#positionOf(event) : undefined;
    if (cursor) this.#select({ anchor: this.#selection.anchor, cursor });
  }

  #onDouble(event: MouseEvent): void {
    const position = this.#positionOf(event);
    if (position) this.#model?.open?.(position);
  }

  #onCopy(event: ClipboardEvent): void {
    if (!this.#model || !this.#table!.contains(this.#focused)) return;
    event.preventDefault();
    const { source, columns } = this.#model;
    void copyRows(event.clipboardData!, source, columns, rectangleOf(this.#selection)).then(
      ({ rows, of }) => copied(this, rows < of ? `The first ${count(rows)} of ${count(of)} rows were copied.` : ''),
      () => copied(this, notCopied),
    );
  }
}

function sameColumns(a: ViewColumn[], b: ViewColumn[]): boolean {
  return a.length === b.length && a.every(({ name, type }, i) => name === b[i]!.name && type === b[i]!.type);
}

function shortText(value: unknown): string {
  if (value === null) return 'null';
  const text = cellText(value);
  return text.length > lettersMax ? `${text.slice(0, lettersMax)}…` : text;
}

customElements.define('st-grid', Grid);

declare global {
  interface HTMLElementTagNameMap {
    'st-grid': Grid;
  }
}

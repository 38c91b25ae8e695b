/** CellRoles: what makes the grid's cells a grid for screen readers and style sheets: roles, positions, selection and states. */
import type { RegularTableElement } from 'regular-table/dist/esm/regular-table.d.ts';
import type { ColumnHead } from './column_head.ts';
import type { GridModel } from './grid.ts';
import { contains, rectangleOf, type Rectangle, type Selection } from './selection.ts';

export type CellState = 'pending' | 'null' | 'value';

/** Columns before the first one of the rows. */
export const rowHeaders = 1;

export interface Drawn {
  model: GridModel;
  heads: ColumnHead[];
  headRows: number;
  selection: Selection;
}

export class CellRoles {
  /** What was written to a cell, which is drawn again with other values all the time. */
  #signatures = new WeakMap<Element, string>();

  /** Before cells are drawn for other rows. */
  forget(): void {
    this.#signatures = new WeakMap();
  }

  /** To the cells that were just drawn; only what changed is written. */
  write(grid: RegularTableElement, table: HTMLTableElement, drawn: Drawn): void {
    const { source, columns, label } = drawn.model;
    setAttributes(table, {
      role: 'grid',
      'aria-label': label,
      'aria-multiselectable': 'true',
      'aria-rowcount': String(source.total + drawn.headRows),
      'aria-colcount': String(columns.length + rowHeaders),
      'aria-busy': String(source.isFetching),
    });
    const selected = rectangleOf(drawn.selection);
    for (const tr of table.tBodies[0]!.rows) this.#writeRow(grid, tr, drawn, selected);
    for (const [i, tr] of [...table.tHead!.rows].entries()) writeHead(grid, tr, i, drawn);
  }

  #writeRow(grid: RegularTableElement, tr: HTMLTableRowElement, drawn: Drawn, selected: Rectangle): void {
    const { cursor } = drawn.selection;
    for (const cell of tr.cells) {
      const meta = grid.getMeta(cell);
      if (meta?.type === 'row_header') {
        setAttributes(tr, { role: 'row', 'aria-rowindex': String(meta.y + drawn.headRows + 1) });
        setAttributes(cell, { role: 'rowheader', 'aria-colindex': '1' });
      }
      if (meta?.type !== 'body') continue;
      const { x, y } = meta;
      const isCursor = x === cursor.x && y === cursor.y;
      const isSelected = contains(selected, { x, y });
      const state = meta.user as CellState;
      const signature = `${x} ${state} ${isCursor} ${isSelected}`;
      if (this.#signatures.get(cell) === signature) continue;
      this.#signatures.set(cell, signature);
      setAttributes(cell, {
        role: 'gridcell',
        'aria-colindex': String(x + rowHeaders + 1),
        'aria-selected': String(isSelected),
        'data-kind': drawn.heads[x]?.kind ?? 'text',
        'data-state': state,
        tabindex: isCursor ? '0' : '-1',
      });
      cell.classList.toggle('cursor', isCursor);
    }
  }
}

function writeHead(grid: RegularTableElement, tr: HTMLTableRowElement, index: number, drawn: Drawn): void {
  setAttributes(tr, { role: 'row', 'aria-rowindex': String(index + 1) });
  for (const cell of tr.cells) {
    const meta = grid.getMeta(cell);
    if (meta?.type !== 'column_header') {
      setAttributes(cell, { role: 'columnheader', 'aria-label': 'Row', 'aria-colindex': '1' });
      continue;
    }
    const { x } = meta;
    const sort = index === 0 ? drawn.heads[x]?.name.dataset.sort : undefined;
    setAttributes(cell, {
      role: 'columnheader',
      'aria-colindex': String(x + rowHeaders + 1),
      'data-kind': drawn.heads[x]?.kind ?? 'text',
      'aria-sort': sort || 'none',
    });
  }
}

function setAttributes(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

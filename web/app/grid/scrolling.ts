/**
 * Where a row lies in the scrolled panel, and back: the arithmetic of regular-table, whose panel stops growing at the browser's
 * largest height, so that a row's place is a share of the panel and not a multiple of its height.
 */

export interface Geometry {
  rows: number;
  rowHeight: number;
  /** Rows of the head, each as high as a row. */
  headRows: number;
  /** Of the scrolling element, without its scroll bars. */
  height: number;
  /** Of the panel that it scrolls. */
  panelHeight: number;
}

/** Rows that fit below the head; the last of them may be cut. */
export function rowsInSight({ height, rowHeight, headRows }: Geometry): number {
  return Math.max(1, height / rowHeight - headRows);
}

export function firstRowAt(scrollTop: number, geometry: Geometry): number {
  const scrollable = Math.max(0, geometry.rows - rowsInSight(geometry));
  const way = Math.max(1, geometry.panelHeight - geometry.height);
  return (scrollable * Math.max(0, scrollTop)) / way;
}

export function scrollTopOf(firstRow: number, geometry: Geometry): number {
  const scrollable = geometry.rows - rowsInSight(geometry);
  if (scrollable <= 0) return 0;
  const way = Math.max(1, geometry.panelHeight - geometry.height);
  return (Math.min(Math.max(0, firstRow), scrollable) / scrollable) * way;
}

/** The least scrolling that brings a row into sight whole; undefined if it is there. */
export function scrollTopShowing(row: number, scrollTop: number, geometry: Geometry): number | undefined {
  const first = firstRowAt(scrollTop, geometry);
  const sight = rowsInSight(geometry);
  if (row < first) return scrollTopOf(row, geometry);
  if (row + 1 > first + sight) return Math.ceil(scrollTopOf(row + 1 - sight, geometry));
  return undefined;
}

const letterPx = 7.4;
const boldLetterPx = 8.4;
const paddingPx = 26;
/** Beside a name stands the mark of its order and its filter. */
const marksPx = 38;
/** Room for a type and a share of nulls side by side. */
export const columnPxMin = 128;
const columnPxMax = 320;

/** A width that fits the name and most of the values seen. */
export function columnWidth(name: string, texts: string[]): number {
  const lengths = texts.map((text) => text.length).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0;
  const named = name.length * boldLetterPx + paddingPx + marksPx;
  const valued = usual * letterPx + paddingPx;
  return Math.round(Math.min(columnPxMax, Math.max(columnPxMin, named, valued)));
}

/** What is selected in the grid on the clipboard, as TSV. */
import type { ViewColumn } from '../../../wasm/views.ts';
import { tsvOf } from '../base/tsv.ts';
import type { RowSource } from './row_source.ts';
import type { Rectangle } from './selection.ts';

const copyRowsMax = 10_000;

/** As where the browser lets the page write to no clipboard. */
export const notCopied = 'It could not be copied.';

/** Tells whatever shows the element what there is to say of a copy; nothing if it is as was asked. */
export function copied(element: HTMLElement, detail: string): void {
  element.dispatchEvent(new CustomEvent('st-copied', { detail, bubbles: true }));
}

/** Names go along when whole columns do. Answers how many rows were copied, of how many. */
export async function copyRows(
  clipboard: DataTransfer,
  source: RowSource,
  columns: ViewColumn[],
  { x0, x1, y0, y1 }: Rectangle,
): Promise<{ rows: number; of: number }> {
  const isWhole = y0 === 0 && y1 === source.total && source.total > 1;
  const names = isWhole ? columns.slice(x0, x1).map(({ name }) => name) : undefined;
  const textOf = (rows: unknown[][]) =>
    tsvOf(
      rows.map((row) => row.slice(x0, x1)),
      names,
    );
  const end = Math.min(y1, y0 + copyRowsMax);
  const here = Array.from({ length: end - y0 }, (_, i) => source.row(y0 + i));
  // Rows that have to be fetched come after the event, which hears of nothing any more by then.
  if (here.every((row) => row !== undefined)) clipboard.setData('text/plain', textOf(here));
  else await navigator.clipboard.writeText(textOf(await source.rows(y0, end, new AbortController().signal)));
  return { rows: end - y0, of: y1 - y0 };
}

/** Rows as a CSV file, written while they are read: a table of any size passes through, and none is held. */
import { csvLine, spreadsheetLine } from '../../../wasm/csv_text.ts';
import type { Cells, ViewColumn } from '../../../wasm/views.ts';

/** exact: for programs, and to be imported again. spreadsheet: no cell of it runs as a formula. */
export type CsvKind = 'exact' | 'spreadsheet';

export interface RowsPage {
  columns: ViewColumn[];
  rows: Cells[];
}

/** Without it Excel takes UTF-8 for the machine's own encoding. */
const byteOrderMark = '\uFEFF';

export function csvFile(pages: AsyncIterable<RowsPage>, kind: CsvKind): ReadableStream<Uint8Array<ArrayBuffer>> {
  const line = kind === 'exact' ? csvLine : spreadsheetLine;
  const encoder = new TextEncoder();
  const iterator = pages[Symbol.asyncIterator]();
  let isFirst = true;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      const head = isFirst ? (kind === 'exact' ? '' : byteOrderMark) + line(value.columns.map(({ name }) => name)) : '';
      isFirst = false;
      controller.enqueue(encoder.encode(head + value.rows.map(line).join('')));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** A table's path, or whatever the rows are called, as the name of a file. */
export function csvName(name: string): string {
  return `${name.replaceAll(/[^\p{L}\p{N}._@-]+/gu, '-').slice(0, 100)}.csv`;
}

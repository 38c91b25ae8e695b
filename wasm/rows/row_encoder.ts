/** RowEncoder: rows in one format, a page at a time: its head, its pages in order, and then its tail. */
export interface RowEncoder {
  /** What comes before the first row. */
  head: Uint8Array;
  /** `from`: how many rows came before these. */
  rows(rows: unknown[][], from: number): Uint8Array;
  /** What comes after the last one. */
  tail(facts: Record<string, unknown>): Uint8Array;
}

/** RowEncoder: rows in one format, a page at a time: its head, its pages in order, and then its tail. */
import type { ViewColumn } from '../../wasm/views.ts';
import { rowArrow } from './row_arrow.ts';
import { rowParquet } from './row_parquet.ts';
import type { RowRequest } from './row_request.ts';
import { type RowText, rowText } from './row_text.ts';

export interface RowEncoder {
  /** What comes before the first row. */
  head: Uint8Array;
  /** `from`: how many rows came before these. */
  rows(rows: unknown[][], from: number): Uint8Array;
  /** What comes after the last one. */
  tail(facts: Record<string, unknown>): Uint8Array;
}

export type HowEncoded = Pick<RowRequest, 'format' | 'escapesFormulas'>;

export function rowEncoder(how: HowEncoded, columns: ViewColumn[], facts: Record<string, unknown>): RowEncoder {
  if (how.format === 'arrow') return rowArrow(columns);
  if (how.format === 'parquet') return rowParquet(columns);
  return encoded(rowText(how, columns, facts));
}

function encoded({ head, rows, tail }: RowText): RowEncoder {
  const encoder = new TextEncoder();
  return {
    head: encoder.encode(head),
    rows: (page, from) => encoder.encode(rows(page, from)),
    tail: (facts) => encoder.encode(tail(facts)),
  };
}

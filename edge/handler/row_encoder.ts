/** Which encoder writes the rows of a request. */
import type { ViewColumn } from '../../wasm/views.ts';
import { rowArrow } from './row_arrow.ts';
import type { RowEncoder } from '../../wasm/rows/row_encoder.ts';
import { rowParquet } from '../../wasm/rows/row_parquet.ts';
import type { RowRequest } from './row_request.ts';
import { type RowText, rowText } from './row_text.ts';

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

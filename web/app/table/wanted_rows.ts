/** The rows that an address of a table asks for, as the core's view takes them. */
import type { ReadRowsArguments } from '../../../wasm/views.ts';
import type { TablePlace } from '../base/address.ts';

export type WantedRows = ReadRowsArguments & { version: number };

/** Of the latest version, unless the address names one. */
export function wantedRows({ path, version, filters, order, search }: TablePlace, latest: number): WantedRows {
  return {
    table: path,
    version: version ?? latest,
    ...(filters.length ? { filters } : {}),
    ...(order.length ? { order_by: order } : {}),
    ...(search ? { search } : {}),
  };
}

/** Whether they are others than the version's rows in their own order. */
export function isSelection({ filters, order, search }: TablePlace): boolean {
  return filters.length > 0 || order.length > 0 || search !== '';
}

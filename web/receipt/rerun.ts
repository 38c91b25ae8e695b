/**
 * Runs a receipt's query again on the versions that it names, where they are at hand, and compares. The core reads just these,
 * by their digests, however the query's text names its tables and whatever they are called by now.
 */
import type { Caller, CallOptions, CoreApi } from '../../wasm/core.ts';
import type { Json, JsonObject } from '../../wasm/instance.ts';
import type { RunAgainArguments, ViewName } from '../../wasm/views.ts';
import type { Content } from './document.ts';

export type Rerun =
  /** `by`: the server that ran it; absent where this browser's own engine did. */
  | { kind: 'same'; rows: number; isReordered: boolean; by?: string }
  | { kind: 'different'; rows: number; by?: string }
  /** The versions are not here, or the engine refused. */
  | { kind: 'impossible'; why: string };

type Read = Content['reads'][number];

export interface RerunOptions extends CallOptions {
  /** Where a table that was read lies now, by its id; undefined if it does not. By its name, if left out. */
  pathOf?: (read: Read) => string | undefined;
}

export async function rerun(
  { sql, reads, rows, truncated }: Content,
  core: Pick<CoreApi, 'view'>,
  caller: Caller,
  { pathOf = ({ table }) => table, ...options }: RerunOptions = {},
): Promise<Rerun> {
  const pinned: RunAgainArguments['reads'] = [];
  for (const read of reads) {
    const path = pathOf(read);
    if (path === undefined) return { kind: 'impossible', why: `The table ${read.table} is not here any more.` };
    pinned.push({ name: read.table, version: read.version, digest: read.digest, path });
  }
  const wanted: RunAgainArguments = { sql, reads: pinned, limit: truncated ? Math.max(1, rows.length) : 500 };
  const view: ViewName = 'run_again';
  const { value, isError } = await core.view(view, wanted as JsonObject, caller, options);
  if (isError) return { kind: 'impossible', why: String(value.message).split('\n')[0]! };
  const now = value.rows as Json[];
  const was = rows.map((row) => JSON.stringify(row));
  const is = now.map((row) => JSON.stringify(row));
  if (same(was, is)) return { kind: 'same', rows: rows.length, isReordered: false };
  return same(was.sort(), is.sort())
    ? { kind: 'same', rows: rows.length, isReordered: true }
    : { kind: 'different', rows: now.length };
}

function same(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i]);
}

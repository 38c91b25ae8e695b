/**
 * Runs a receipt's query again on the versions that it names, where they are at hand, and compares. Names are pinned to their
 * versions in the text, and the engine's own list of what it read must then be the receipt's: a query that reads anything else
 * is not the same query.
 */
import type { Caller, CallOptions, CoreApi } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { Content } from './document.ts';

export type Rerun =
  /** `by`: the server that ran it; absent where this browser's own engine did. */
  | { kind: 'same'; rows: number; isReordered: boolean; by?: string }
  | { kind: 'different'; rows: number; by?: string }
  /** The versions are not here, or the engine refused. */
  | { kind: 'impossible'; why: string };

type Read = Content['reads'][number];
type Reads = { table: string; version: number }[];

export interface RerunOptions extends CallOptions {
  /** Where a table that was read lies now, by its id; undefined if it does not. By its name, if left out. */
  pathOf?: (read: Read) => string | undefined;
}

/** The query with each quoted path that was read as it is called `now`, at its version. Literals and comments stay as they are. */
export function pinned(sql: string, reads: (Reads[number] & { now?: string })[]): string {
  const latestFirst = [...reads].sort((a, b) => b.version - a.version);
  return sql.replace(
    /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"/g,
    (all, quoted: string | undefined) => {
      if (quoted === undefined) return all;
      const [, path, version] = /^([\s\S]*?)(?:@(\d+))?$/.exec(quoted.replaceAll('""', '"'))!;
      const read = latestFirst.find(({ table, version: was }) => table === path && was === Number(version ?? was));
      return read ? `"${(read.now ?? read.table).replaceAll('"', '""')}@${read.version}"` : all;
    },
  );
}

export async function rerun(
  { sql, reads, rows, truncated }: Content,
  core: Pick<CoreApi, 'call'>,
  caller: Caller,
  { pathOf = ({ table }) => table, ...options }: RerunOptions = {},
): Promise<Rerun> {
  const placed: (Reads[number] & { now: string })[] = [];
  for (const read of reads) {
    const now = pathOf(read);
    if (now === undefined) return { kind: 'impossible', why: `The table ${read.table} is not here any more.` };
    placed.push({ table: read.table, version: read.version, now });
  }
  const limit = truncated ? Math.max(1, rows.length) : 500;
  const { value, isError } = await core.call('query', { sql: pinned(sql, placed), limit }, caller, options);
  if (isError) return { kind: 'impossible', why: String(value.message).split('\n')[0]! };
  const wanted = placed.map(({ now, version }) => ({ table: now, version }));
  if (keyOf(value.reads as unknown as Reads) !== keyOf(wanted))
    return { kind: 'impossible', why: 'Here the query would read other versions than the receipt names.' };
  const now = (value as JsonObject & { rows: unknown[][] }).rows;
  const was = rows.map((row) => JSON.stringify(row));
  const is = now.map((row) => JSON.stringify(row));
  if (same(was, is)) return { kind: 'same', rows: rows.length, isReordered: false };
  return same(was.sort(), is.sort())
    ? { kind: 'same', rows: rows.length, isReordered: true }
    : { kind: 'different', rows: now.length };
}

function keyOf(reads: Reads): string {
  return JSON.stringify(reads.map(({ table, version }) => `${table}@${version}`).sort());
}

function same(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i]);
}

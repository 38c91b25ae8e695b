/**
 * Runs a receipt's query again on the versions that it names, where they are at hand, and compares. Names are pinned to their
 * versions in the text, and the engine's own list of what it read must then be the receipt's: a query that reads anything else
 * is not the same query.
 */
import type { Caller, CoreApi } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { Content } from './document.ts';

export type Rerun =
  | { kind: 'same'; rows: number; isReordered: boolean }
  | { kind: 'different'; rows: number }
  /** The versions are not here, or the engine refused. */
  | { kind: 'impossible'; why: string };

type Reads = { table: string; version: number }[];

/** The query with each quoted path that was read followed by its version. Text literals and comments stay as they are. */
export function pinned(sql: string, reads: Reads): string {
  const versions = new Map(reads.map(({ table, version }) => [table, version]));
  return sql.replace(
    /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"/g,
    (all, quoted: string | undefined) => {
      const version = quoted === undefined ? undefined : versions.get(quoted.replaceAll('""', '"'));
      return version === undefined ? all : `"${quoted}@${version}"`;
    },
  );
}

export async function rerun({ sql, reads, rows, truncated }: Content, core: CoreApi, caller: Caller): Promise<Rerun> {
  const limit = truncated ? Math.max(1, rows.length) : 500;
  const { value, isError } = await core.call('query', { sql: pinned(sql, reads), limit }, caller);
  if (isError) return { kind: 'impossible', why: String(value.message).split('\n')[0]! };
  if (keyOf(value.reads as unknown as Reads) !== keyOf(reads))
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

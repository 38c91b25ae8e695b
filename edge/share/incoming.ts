/**
 * What arrives for a public copy from a home elsewhere: chunks by digest, kept beside the copy until all are there that it lacks.
 * Nothing of it is seen before the copy is received whole.
 */
import * as v from 'valibot';
import { Sha256 } from '../../wasm/sha256.ts';
import type { SqlStore } from '../../wasm/sql_store.ts';
import type { Bulk, ReadChunk, TableCopy } from './table_copy.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const words = v.pipe(v.string(), v.maxLength(200_000));

const copySchema = v.object({
  token: v.string(),
  allowsSql: v.boolean(),
  table: v.object({
    id: v.pipe(v.string(), v.maxLength(100)),
    path: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2000)),
    description: words,
    nextColumn: whole,
    nextSegment: whole,
    createdMs: whole,
  }),
  version: v.object({
    version: whole,
    rows: whole,
    bytes: whole,
    digest: v.pipe(v.string(), v.maxLength(100)),
    madeMs: whole,
    columns: whole,
  }),
  columnLists: v.array(v.string()),
  descriptions: v.array(v.object({ column: whole, description: words })),
  segments: v.array(
    v.object({
      id: whole,
      sha256: digest,
      size: whole,
      kind: whole,
      number: whole,
      place: whole,
      rows: whole,
      columns: whole,
    }),
  ),
  deletions: v.array(v.object({ id: whole, sha256: digest })),
});

/** Undefined if it is no copy. */
export function parseCopy(value: unknown): TableCopy | undefined {
  const parsed = v.safeParse(copySchema, value);
  return parsed.success ? parsed.output : undefined;
}

export interface MissingBulk extends Bulk {
  of: 'segment' | 'deletion';
}

export const chunkBytesMax = 1 << 20;

function prepare(store: SqlStore): void {
  const sql = `CREATE TABLE IF NOT EXISTS incoming (sha256 TEXT NOT NULL, n INTEGER NOT NULL, bytes BLOB NOT NULL,
               PRIMARY KEY (sha256, n)) WITHOUT ROWID`;
  store.commit([{ sql, params: [] }]);
}

export function keepChunk(store: SqlStore, sha256: string, n: number, bytes: Uint8Array): void {
  prepare(store);
  const sql = 'INSERT OR REPLACE INTO incoming (sha256, n, bytes) VALUES (?, ?, ?)';
  store.commit([{ sql, params: [sha256, BigInt(n), bytes] }]);
}

/** What of the copy neither lies in the store nor has arrived whole, as its digest says. */
export async function missingOf(store: SqlStore, { segments, deletions }: TableCopy): Promise<MissingBulk[]> {
  prepare(store);
  const missing: MissingBulk[] = [];
  const wanted = [
    ...segments.map(({ id, sha256 }) => ({ of: 'segment' as const, id, sha256 })),
    ...deletions.map(({ id, sha256 }) => ({ of: 'deletion' as const, id, sha256 })),
  ];
  for (const bulk of wanted) {
    const isHere =
      bulk.of === 'segment'
        ? store.query('SELECT 1 FROM blobs WHERE sha256 = ?', [bulk.sha256]).length > 0
        : store.query('SELECT 1 FROM deletions WHERE sha256 = ?', [bulk.sha256]).length > 0;
    if (!isHere && (await digestOfIncoming(store, bulk.sha256)) !== bulk.sha256) missing.push(bulk);
  }
  return missing;
}

/** Of the chunks that arrived under this digest. */
async function digestOfIncoming(store: SqlStore, sha256: string): Promise<string> {
  const hash = new Sha256();
  for (let n = 0; ; ++n) {
    const bytes = incomingChunk(store, sha256, n);
    if (!bytes) return hash.hex();
    hash.update(bytes);
  }
}

function incomingChunk(store: SqlStore, sha256: string, n: number): Uint8Array | null {
  const [row] = store.query('SELECT bytes FROM incoming WHERE sha256 = ? AND n = ?', [sha256, BigInt(n)]);
  return row ? (row[0] as Uint8Array) : null;
}

/** Reads what arrived by the ids that the copy has for it. */
export function incomingReader(store: SqlStore, { segments, deletions }: TableCopy): ReadChunk {
  const digests = {
    segment: new Map(segments.map(({ id, sha256 }) => [id, sha256])),
    deletion: new Map(deletions.map(({ id, sha256 }) => [id, sha256])),
  };
  return async (of, id, n) => {
    const sha256 = digests[of].get(id);
    return sha256 === undefined ? null : incomingChunk(store, sha256, n);
  };
}

export function forgetIncoming(store: SqlStore): void {
  store.commit([{ sql: 'DELETE FROM incoming', params: [] }]);
}

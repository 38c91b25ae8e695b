/**
 * TableCopy: the latest version of one table, from a workspace's store into a store that holds nothing else. It speaks of
 * schema.sql's tables as they are, since both stores have them; segments are copied as they are and known by their digests,
 * so that only those that the other store lacks travel. Earlier versions, messages and authors stay behind.
 */
import type { SqlRow, SqlStore, SqlValue } from '../../wasm/sql_store.ts';
import type { FactsColumn } from '../../wasm/table_facts.ts';
import type { HeldShare } from '../handler/shared_table.ts';

export interface Bulk {
  /** In the store it comes from. */
  id: number;
  sha256: string;
}

export interface CopiedSegment extends Bulk {
  size: number;
  kind: number;
  number: number;
  place: number;
  rows: number;
  /** Into columnLists. */
  columns: number;
}

/** Everything but the bytes. */
export interface TableCopy {
  token: string;
  /** Whether readers may bring a SELECT of their own. */
  allowsSql: boolean;
  table: { id: string; path: string; description: string; nextColumn: number; nextSegment: number; createdMs: number };
  version: { version: number; rows: number; bytes: number; digest: string; madeMs: number; columns: number };
  columnLists: string[];
  descriptions: { column: number; description: string }[];
  segments: CopiedSegment[];
  deletions: Bulk[];
}

/** One chunk of bytes by the ids of the store that a copy comes from; null past the last. */
export type ReadChunk = (of: 'segment' | 'deletion', id: number, n: number) => Promise<Uint8Array | null>;

const integer = (value: SqlValue | undefined): number => Number(value);
const text = (value: SqlValue | undefined): string => String(value ?? '');

/** Where a table lies now; undefined if it is not there, or in the trash. */
export function pathOf(store: SqlStore, tableId: string): string | undefined {
  const [row] = store.query('SELECT path FROM tables WHERE id = ? AND trashed_ms IS NULL', [tableId]);
  return row && text(row[0]);
}

export interface SharedTable {
  token: string;
  table: string;
  version: number;
}

/** Whether a core has opened this store before. */
function hasSchema(store: SqlStore): boolean {
  return store.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'tables'", []).length > 0;
}

/** What is public of a workspace, by path. */
export function sharedTables(store: SqlStore): SharedTable[] {
  if (!hasSchema(store)) return [];
  return store
    .query(
      'SELECT share_token, path, version FROM tables WHERE share_token IS NOT NULL AND trashed_ms IS NULL ORDER BY path',
      [],
    )
    .map(([token, path, version]) => ({ token: text(token), table: text(path), version: integer(version) }));
}

/** The table that is public under this token as it is now; undefined if there is none. */
export function describeCopy(store: SqlStore, token: string, allowsSql = false): TableCopy | undefined {
  const [table] = store.query(
    `SELECT id, path, description, version, next_column, next_segment, created_ms FROM tables
     WHERE share_token = ? AND trashed_ms IS NULL`,
    [token],
  );
  if (!table) return undefined;
  const [id, latest] = [text(table[0]), integer(table[3])];
  const [version] = store.query(
    'SELECT columns_id, rows, bytes, digest, made_ms FROM versions WHERE table_id = ? AND version = ?',
    [id, latest],
  );
  if (!version) throw new Error('a table without its latest version');
  const lists = new ColumnLists(store);
  return {
    token,
    allowsSql,
    table: {
      id,
      path: text(table[1]),
      description: text(table[2]),
      nextColumn: integer(table[4]),
      nextSegment: integer(table[5]),
      createdMs: integer(table[6]),
    },
    version: {
      version: latest,
      rows: integer(version[1]),
      bytes: integer(version[2]),
      digest: text(version[3]),
      madeMs: integer(version[4]),
      columns: lists.indexOf(integer(version[0])),
    },
    descriptions: store
      .query('SELECT column_id, description FROM column_descriptions WHERE table_id = ? ORDER BY column_id', [id])
      .map(([column, description]) => ({ column: integer(column), description: text(description) })),
    segments: liveSegments(store, id, latest, lists),
    deletions: liveDeletions(store, id, latest),
    columnLists: lists.texts,
  };
}

function liveSegments(store: SqlStore, id: string, version: number, lists: ColumnLists): CopiedSegment[] {
  const rows = store.query(
    `SELECT s.blob, b.sha256, b.size, b.kind, s.number, s.place, s.rows, s.columns_id
     FROM segment_spans p JOIN segments s ON s.blob = p.segment JOIN blobs b ON b.id = s.blob
     WHERE p.table_id = ? AND p.end_version > ? AND p.begin_version <= ? ORDER BY s.place, s.number`,
    [id, version, version],
  );
  return rows.map((row) => ({
    id: integer(row[0]),
    sha256: text(row[1]),
    size: integer(row[2]),
    kind: integer(row[3]),
    number: integer(row[4]),
    place: integer(row[5]),
    rows: integer(row[6]),
    columns: lists.indexOf(integer(row[7])),
  }));
}

function liveDeletions(store: SqlStore, id: string, version: number): Bulk[] {
  return store
    .query(
      `SELECT DISTINCT d.first, d.sha256 FROM deletion_spans p JOIN deletions d ON d.first = p.deletion
       WHERE p.table_id = ? AND p.end_version > ? AND p.begin_version <= ? ORDER BY d.first`,
      [id, version, version],
    )
    .map(([first, sha256]) => ({ id: integer(first), sha256: text(sha256) }));
}

/** Column lists in the order of their first use. */
class ColumnLists {
  readonly texts: string[] = [];
  #store: SqlStore;
  #ids: number[] = [];

  constructor(store: SqlStore) {
    this.#store = store;
  }

  indexOf(id: number): number {
    const known = this.#ids.indexOf(id);
    if (known >= 0) return known;
    const [row] = this.#store.query('SELECT columns FROM column_lists WHERE id = ?', [id]);
    if (!row) throw new Error('a column list that is referred to is missing');
    this.texts.push(text(row[0]));
    return this.#ids.push(id) - 1;
  }
}

/** What a workspace's store gives to a copy of one of its tables. */
export function readChunk(store: SqlStore, of: 'segment' | 'deletion', id: number, n: number): Uint8Array | null {
  const sql =
    of === 'segment'
      ? 'SELECT bytes FROM chunks WHERE blob = ? AND n = ?'
      : 'SELECT bytes FROM deletions WHERE first = ? AND n = ?';
  const [row] = store.query(sql, [id, n]);
  return row ? (row[0] as Uint8Array) : null;
}

/** Of the one table that a store of a public copy holds; undefined while it holds none. */
export function heldShare(store: SqlStore): HeldShare | undefined {
  if (!hasSchema(store)) return undefined;
  const [row] = store.query(
    `SELECT t.share_token, v.digest, t.path, t.version, t.description, v.rows, v.bytes, v.made_ms, l.columns, t.id
     FROM tables t JOIN versions v ON v.table_id = t.id AND v.version = t.version
     JOIN column_lists l ON l.id = v.columns_id`,
    [],
  ) as [SqlRow?];
  if (!row) return undefined;
  const facts = {
    table: text(row[2]),
    version: integer(row[3]),
    description: text(row[4]),
    rows: integer(row[5]),
    bytes: integer(row[6]),
    changed_at: new Date(integer(row[7])).toISOString(),
    columns: columnsWithMeanings(store, text(row[9]), JSON.parse(text(row[8])) as StoredColumn[]),
  };
  return { token: text(row[0]), digest: text(row[1]), facts };
}

type StoredColumn = { id: number; name: string; type: string };

function columnsWithMeanings(store: SqlStore, tableId: string, columns: StoredColumn[]): FactsColumn[] {
  const meanings = new Map(
    store
      .query('SELECT column_id, description FROM column_descriptions WHERE table_id = ?', [tableId])
      .map(([column, description]) => [integer(column), text(description)]),
  );
  return columns.map(({ id, name, type }) => {
    const meaning = meanings.get(id);
    return { name, type, ...(meaning ? { description: meaning } : {}) };
  });
}

/** Receiving a TableCopy: the store of a public copy goes from what it held to the copy in one commit. */
import type { SqlStatement, SqlStore, SqlValue } from '../../wasm/sql_store.ts';
import type { Bulk, CopiedSegment, ReadChunk, TableCopy } from './table_copy.ts';

/** An open end of a life, as schema.sql says. */
const openEnd = 2 ** 53 - 1;
const columnsIdOf = (at: number): number => at + 1;

const integer = (value: SqlValue | undefined): number => Number(value);

/**
 * Makes the store hold this copy and nothing else. What it lacks is read and laid under ids that nothing refers to yet; one
 * commit then changes what it held to the copy. If that fails it holds what it held, and the leftovers go with the next copy.
 * No core may be live over the store meanwhile: it would count the same ids.
 */
export async function receiveCopy(store: SqlStore, copy: TableCopy, read: ReadChunk): Promise<void> {
  commit(store, withoutOrphans);
  const blobs = idsBy(store, 'SELECT sha256, id FROM blobs');
  const documents = idsBy(store, 'SELECT sha256, first FROM deletions WHERE n = 0');
  const ids = new Ids(store);
  const newBlobs: SqlStatement[] = [];
  for (const segment of copy.segments) {
    if (blobs.has(segment.sha256)) continue;
    newBlobs.push(await receiveSegment(store, segment, ids.next(), read));
    blobs.set(segment.sha256, integer(newBlobs.at(-1)?.params[0]));
  }
  for (const deletion of copy.deletions) {
    if (!documents.has(deletion.sha256))
      documents.set(deletion.sha256, await receiveDeletion(store, copy.table.id, deletion, ids, read));
  }
  commit(store, [
    ...newBlobs,
    ...emptied,
    ...rowsOfTable(copy),
    ...copy.segments.flatMap((segment) => rowsOfSegment(copy, segment, found(blobs, segment.sha256))),
    ...copy.deletions.map(({ sha256 }) => rowOfDeletion(copy, found(documents, sha256))),
    ...withoutOrphans,
  ]);
}

/** Answers the statement that makes a blob of its chunks. */
async function receiveSegment(
  store: SqlStore,
  { id: from, sha256, size, kind }: CopiedSegment,
  id: number,
  read: ReadChunk,
): Promise<SqlStatement> {
  let received = 0;
  for (let n = 0; received < size; ++n) {
    const bytes = await read('segment', from, n);
    if (!bytes) throw new Error('a segment ended before its size');
    commit(store, [{ sql: 'INSERT INTO chunks (blob, n, bytes) VALUES (?, ?, ?)', params: [id, n, bytes] }]);
    received += bytes.length;
  }
  const sql = 'INSERT INTO blobs (id, kind, size, sha256, published) VALUES (?, ?, ?, ?, 1)';
  return { sql, params: [id, kind, size, sha256] };
}

/** Answers the id that its spans refer to. */
async function receiveDeletion(
  store: SqlStore,
  tableId: string,
  { id: from, sha256 }: Bulk,
  ids: Ids,
  read: ReadChunk,
): Promise<number> {
  const first = ids.next();
  for (let n = 0; ; ++n) {
    const bytes = await read('deletion', from, n);
    if (!bytes && n === 0) throw new Error('a deletion document is missing');
    if (!bytes) return first;
    const sql = 'INSERT INTO deletions (id, table_id, n, first, sha256, bytes) VALUES (?, ?, ?, ?, ?, ?)';
    commit(store, [{ sql, params: [n === 0 ? first : ids.next(), tableId, n, first, sha256, bytes] }]);
  }
}

/** Ids above all that the store has. */
class Ids {
  #next: number;

  constructor(store: SqlStore) {
    const [row] = store.query(
      `SELECT 1 + max(coalesce((SELECT max(id) FROM blobs), 0), coalesce((SELECT max(blob) FROM chunks), 0),
                      coalesce((SELECT max(id) FROM deletions), 0))`,
      [],
    );
    this.#next = integer(row?.[0]);
  }

  next(): number {
    return this.#next++;
  }
}

function idsBy(store: SqlStore, sql: string): Map<string, number> {
  return new Map(store.query(sql, []).map(([sha256, id]) => [String(sha256), integer(id)]));
}

/** All numbers in the schema are whole, and the port tells 2 from 2.0. */
function commit(store: SqlStore, batch: SqlStatement[]): void {
  store.commit(
    batch.map(({ sql, params }) => ({
      sql,
      params: params.map((value) => (typeof value === 'number' ? BigInt(value) : value)),
    })),
  );
}

const emptied: SqlStatement[] = [
  ...['tables', 'column_descriptions', 'versions', 'column_lists', 'segments', 'segment_spans', 'deletion_spans'],
  ...['key_blocks', 'answers', 'receipts'],
].map((table) => ({ sql: `DELETE FROM ${table}`, params: [] }));

const withoutOrphans: SqlStatement[] = [
  'DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM segments)',
  'DELETE FROM chunks WHERE blob NOT IN (SELECT id FROM blobs)',
  'DELETE FROM deletions WHERE first NOT IN (SELECT deletion FROM deletion_spans)',
].map((sql) => ({ sql, params: [] }));

function rowsOfTable({ token, table, version, columnLists, descriptions }: TableCopy): SqlStatement[] {
  const { id, path, description, nextColumn, nextSegment, createdMs } = table;
  return [
    {
      sql: `INSERT INTO tables (id, path, description, version, next_column, next_segment, created_ms, share_token)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      params: [id, path, description, version.version, nextColumn, nextSegment, createdMs, token],
    },
    {
      sql: `INSERT INTO versions (table_id, version, kind, tool, columns_id, rows, bytes, added, updated, removed, author,
            made_ms, digest) VALUES (?, ?, 'create', 'write', ?, ?, ?, ?, 0, 0, '', ?, ?)`,
      params: [
        ...[id, version.version, columnsIdOf(version.columns), version.rows, version.bytes, version.rows],
        ...[version.madeMs, version.digest],
      ],
    },
    ...columnLists.map((columns, at) => ({
      sql: 'INSERT INTO column_lists (id, table_id, columns) VALUES (?, ?, ?)',
      params: [columnsIdOf(at), id, columns],
    })),
    ...descriptions.map(({ column, description: words }) => ({
      sql: 'INSERT INTO column_descriptions (table_id, column_id, description) VALUES (?, ?, ?)',
      params: [id, column, words],
    })),
  ];
}

function rowsOfSegment({ table, version }: TableCopy, segment: CopiedSegment, blob: number): SqlStatement[] {
  const { number, place, rows, columns } = segment;
  return [
    {
      sql: 'INSERT INTO segments (blob, table_id, number, place, rows, columns_id) VALUES (?, ?, ?, ?, ?, ?)',
      params: [blob, table.id, number, place, rows, columnsIdOf(columns)],
    },
    {
      sql: 'INSERT INTO segment_spans (table_id, end_version, segment, begin_version) VALUES (?, ?, ?, ?)',
      params: [table.id, openEnd, blob, version.version],
    },
  ];
}

function rowOfDeletion({ table, version }: TableCopy, deletion: number): SqlStatement {
  return {
    sql: 'INSERT INTO deletion_spans (table_id, end_version, deletion, begin_version) VALUES (?, ?, ?, ?)',
    params: [table.id, openEnd, deletion, version.version],
  };
}

function found(ids: Map<string, number>, sha256: string): number {
  const id = ids.get(sha256);
  if (id === undefined) throw new Error('bytes of the copy did not arrive');
  return id;
}

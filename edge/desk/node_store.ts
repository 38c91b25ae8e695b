/** NodeStore: the desk's store, one SQLite file that one process holds at a time. It never waits for another process. */
import { DatabaseSync, type StatementSync, type SQLInputValue } from 'node:sqlite';
import { type SqlRow, type SqlStatement, type SqlStore, type SqlValue, StoreError } from '../../wasm/sql_store.ts';

const preparedMax = 200;
const busy = 5;
const full = 13;
const changesSchema = /^\s*(create|alter|drop)\b/i;
const uniqueViolations = new Set([1555, 2067, 2579]); // PRIMARYKEY, UNIQUE, ROWID

/** Another process holds the file. */
export class StoreBusy extends StoreError {
  constructor(path: string, cause: unknown) {
    super('io', `${path} is in use by another process.`, cause);
    this.name = 'StoreBusy';
  }
}

export class NodeStore implements SqlStore {
  #database: DatabaseSync;
  #prepared = new Map<string, StatementSync>();

  /** Opens or makes the file and holds it until close(). `:memory:` serves tests. Throws StoreBusy. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 0 });
    try {
      // Large pages suit chunks of 1 MiB; they can be chosen only before the file has its first page.
      this.#database.exec(`
        PRAGMA page_size = 65536;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        BEGIN EXCLUSIVE;
        COMMIT;`);
    } catch (error) {
      this.#database.close();
      throw errcodeOf(error) === busy ? new StoreBusy(path, error) : storeError(error);
    }
  }

  query(sql: string, params: SqlValue[]): SqlRow[] {
    try {
      const rows = this.#prepare(sql).all(...bound(params)) as unknown as SqlRow[];
      for (const row of rows) {
        for (let i = 0; i < row.length; ++i) {
          const value = row[i];
          if (typeof value === 'string') row[i] = withNul(value);
        }
      }
      return rows;
    } catch (error) {
      throw storeError(error);
    }
  }

  commit(batch: SqlStatement[]): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const { sql, params } of batch) this.#prepare(sql).run(...bound(params));
      this.#database.exec('COMMIT');
      // node:sqlite counts a statement's columns before SQLite prepares it anew for a changed table.
      if (batch.some(({ sql }) => changesSchema.test(sql))) this.#prepared.clear();
    } catch (error) {
      // Some failures (a full disk) end the transaction by themselves.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw storeError(error);
    }
  }

  commitAhead(batch: SqlStatement[]): void {
    // The log is written in order: the next full commit makes lasting what stands before it.
    this.#database.exec('PRAGMA synchronous = NORMAL');
    try {
      this.commit(batch);
    } finally {
      this.#database.exec('PRAGMA synchronous = FULL');
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const kept = this.#prepared.get(sql);
    if (kept) return kept;
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    this.#prepared.set(sql, statement);
    const oldest = this.#prepared.keys().next().value;
    if (this.#prepared.size > preparedMax && oldest !== undefined) this.#prepared.delete(oldest);
    return statement;
  }
}

// node:sqlite reads a text only as far as its first NUL. So a NUL is stored as U+FFFF "0", and U+FFFF, which is no character
// and hardly ever comes, as U+FFFF "1".
const nulOrMark = /[\0\uffff]/;

function withoutNul(text: string): string {
  if (!nulOrMark.test(text)) return text;
  return text.replaceAll('\uffff', '\uffff1').replaceAll('\0', '\uffff0');
}

function withNul(text: string): string {
  if (!text.includes('\uffff')) return text;
  return text.replaceAll('\uffff0', '\0').replaceAll('\uffff1', '\uffff');
}

function bound(params: SqlValue[]): SQLInputValue[] {
  return params.map((value) => (typeof value === 'string' ? withoutNul(value) : value));
}

function errcodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

function storeError(error: unknown): StoreError {
  const code = errcodeOf(error) ?? 0;
  const kind = uniqueViolations.has(code) ? 'conflict' : (code & 0xff) === full ? 'full' : 'io';
  return new StoreError(kind, error instanceof Error ? error.message : String(error), error);
}

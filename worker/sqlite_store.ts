/** SqliteStore: the port to SQLite over an open database of sqlite-wasm. It opens nothing and knows no file system. */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { type SqlRow, type SqlStatement, type SqlStore, type SqlValue, StoreError } from '../wasm/sql_store.ts';

const preparedMax = 200;
const scratchBytesMin = 64 << 10;
/** A scratch that grew past this for one large value is given back. */
const scratchBytesKept = 4 << 20;

const ok = 0;
const full = 13;
const row = 100;
const done = 101;
const preparePersistent = 1;
const uniqueViolations = new Set([1555, 2067, 2579]); // PRIMARYKEY, UNIQUE, ROWID
const ioError = 10;

const types = { integer: 1, real: 2, text: 3, blob: 4 } as const;

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The functions of SQLite itself, without the conversions around them. */
interface RawSqlite {
  sqlite3_step(statement: number): number;
  sqlite3_reset(statement: number): number;
  sqlite3_clear_bindings(statement: number): number;
  sqlite3_bind_null(statement: number, index: number): number;
  sqlite3_bind_int64(statement: number, index: number, value: bigint): number;
  sqlite3_bind_double(statement: number, index: number, value: number): number;
  sqlite3_bind_zeroblob(statement: number, index: number, length: number): number;
  sqlite3_bind_text(statement: number, index: number, at: number, length: number, destructor: number): number;
  sqlite3_bind_blob(statement: number, index: number, at: number, length: number, destructor: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_type(statement: number, column: number): number;
  sqlite3_column_int64(statement: number, column: number): bigint;
  sqlite3_column_double(statement: number, column: number): number;
  sqlite3_column_text(statement: number, column: number): number;
  sqlite3_column_blob(statement: number, column: number): number;
  sqlite3_column_bytes(statement: number, column: number): number;
  sqlite3_get_autocommit(database: number): number;
  sqlite3_extended_errcode(database: number): number;
}

export interface SqliteStoreOptions {
  /** Asked after an I/O error: an origin at its quota reports nothing better. */
  isDiskFull?: () => boolean;
}

export class SqliteStore implements SqlStore {
  #sqlite: Sqlite3Static;
  #raw: RawSqlite;
  #database: number;
  #isDiskFull: () => boolean;
  #prepared = new Map<string, number>();
  #scratch = 0;
  #scratchBytes = 0;

  /** Takes over a database handle, which close() closes. */
  constructor(sqlite: Sqlite3Static, database: number, { isDiskFull = () => false }: SqliteStoreOptions = {}) {
    this.#sqlite = sqlite;
    this.#raw = (sqlite.wasm as unknown as { exports: RawSqlite }).exports;
    this.#database = database;
    this.#isDiskFull = isDiskFull;
    sqlite.capi.sqlite3_extended_result_codes(database, 1);
  }

  /** The database handle, for what SQL cannot do. */
  get database(): number {
    return this.#database;
  }

  query(sql: string, params: SqlValue[]): SqlRow[] {
    return this.#run(sql, params);
  }

  commit(batch: SqlStatement[]): void {
    try {
      this.#run('BEGIN IMMEDIATE', []);
      for (const { sql, params } of batch) this.#run(sql, params);
      this.#run('COMMIT', []);
    } catch (error) {
      // Some failures (a full disk) end the transaction by themselves.
      if (!this.#raw.sqlite3_get_autocommit(this.#database)) this.#run('ROLLBACK', []);
      throw error;
    }
  }

  /** Statements of the home's own, with PRAGMA and the like; answers the rows of the last. */
  pragma(sql: string): SqlRow[] {
    return this.#run(sql, []);
  }

  close(): void {
    for (const statement of this.#prepared.values()) this.#sqlite.capi.sqlite3_finalize(statement);
    this.#prepared.clear();
    if (this.#scratchBytes > 0) this.#sqlite.wasm.dealloc(this.#scratch);
    this.#scratchBytes = 0;
    this.#sqlite.capi.sqlite3_close_v2(this.#database);
  }

  #run(sql: string, params: SqlValue[]): SqlRow[] {
    const statement = this.#prepare(sql);
    try {
      this.#bind(statement, params);
      return this.#rowsOf(statement);
    } finally {
      this.#raw.sqlite3_reset(statement);
      if (params.length > 0) this.#raw.sqlite3_clear_bindings(statement);
    }
  }

  #rowsOf(statement: number): SqlRow[] {
    const rows: SqlRow[] = [];
    for (;;) {
      const status = this.#raw.sqlite3_step(statement);
      if (status === done) return rows;
      if (status !== row) throw this.#failure();
      const columns = this.#raw.sqlite3_column_count(statement);
      rows.push(Array.from({ length: columns }, (_, column) => this.#value(statement, column)));
    }
  }

  #value(statement: number, column: number): SqlValue {
    switch (this.#raw.sqlite3_column_type(statement, column)) {
      case types.integer:
        return this.#raw.sqlite3_column_int64(statement, column);
      case types.real:
        return this.#raw.sqlite3_column_double(statement, column);
      case types.text:
        return textDecoder.decode(this.#bytesAt(this.#raw.sqlite3_column_text(statement, column), statement, column));
      case types.blob:
        return this.#bytesAt(this.#raw.sqlite3_column_blob(statement, column), statement, column).slice();
      default:
        return null;
    }
  }

  /** A view, valid until the statement moves on. */
  #bytesAt(at: number, statement: number, column: number): Uint8Array {
    const length = this.#raw.sqlite3_column_bytes(statement, column);
    return this.#sqlite.wasm.heap8u().subarray(at, at + length);
  }

  #prepare(sql: string): number {
    const kept = this.#prepared.get(sql);
    if (kept !== undefined) return kept;
    const { capi, wasm } = this.#sqlite;
    const out = wasm.pstack.alloc(4);
    let statement: number;
    try {
      const status = capi.sqlite3_prepare_v3(this.#database, sql, -1, preparePersistent, out, null);
      if (status !== ok) throw this.#failure();
      statement = wasm.peekPtr(out);
    } finally {
      wasm.pstack.restore(out + 4);
    }
    this.#prepared.set(sql, statement);
    const [oldest] = this.#prepared;
    if (this.#prepared.size > preparedMax && oldest) {
      this.#prepared.delete(oldest[0]);
      capi.sqlite3_finalize(oldest[1]);
    }
    return statement;
  }

  /** Values live in the scratch until the statement is done, so SQLite copies none of them. */
  #bind(statement: number, params: SqlValue[]): void {
    if (params.length === 0) return;
    this.#reserve(params.reduce<number>((sum, value) => sum + bytesMax(value), 0));
    let at = this.#scratch;
    params.forEach((value, i) => {
      at = this.#bindOne(statement, i + 1, value, at);
    });
  }

  #bindOne(statement: number, index: number, value: SqlValue, at: number): number {
    const raw = this.#raw;
    if (value === null) return this.#bound(raw.sqlite3_bind_null(statement, index), at);
    if (typeof value === 'bigint') return this.#bound(raw.sqlite3_bind_int64(statement, index, value), at);
    if (typeof value === 'number') return this.#bound(raw.sqlite3_bind_double(statement, index, value), at);
    const into = this.#sqlite.wasm.heap8u().subarray(at, this.#scratch + this.#scratchBytes);
    if (typeof value === 'string') {
      const { written } = textEncoder.encodeInto(value, into);
      return this.#bound(raw.sqlite3_bind_text(statement, index, at, written, 0), at + written);
    }
    if (value.length === 0) return this.#bound(raw.sqlite3_bind_zeroblob(statement, index, 0), at);
    into.set(value);
    return this.#bound(raw.sqlite3_bind_blob(statement, index, at, value.length, 0), at + value.length);
  }

  #bound(status: number, at: number): number {
    if (status !== ok) throw this.#failure();
    return at;
  }

  #reserve(bytes: number): void {
    const wanted = Math.max(bytes, scratchBytesMin);
    const oversized = this.#scratchBytes > scratchBytesKept && wanted <= scratchBytesKept;
    if (wanted <= this.#scratchBytes && !oversized) return;
    const { wasm } = this.#sqlite;
    if (this.#scratchBytes > 0) wasm.dealloc(this.#scratch);
    this.#scratchBytes = 0;
    this.#scratch = wasm.alloc(wanted);
    this.#scratchBytes = wanted;
  }

  #failure(): StoreError {
    const code = this.#raw.sqlite3_extended_errcode(this.#database);
    const message = this.#sqlite.capi.sqlite3_errmsg(this.#database) || `SQLite error ${code}`;
    return new StoreError(this.#kindOf(code), `${message} (${code})`);
  }

  #kindOf(code: number): StoreError['kind'] {
    if (uniqueViolations.has(code)) return 'conflict';
    if ((code & 0xff) === full) return 'full';
    return (code & 0xff) === ioError && this.#isDiskFull() ? 'full' : 'io';
  }
}

/** A UTF-16 unit takes at most three bytes of UTF-8. */
function bytesMax(value: SqlValue): number {
  if (typeof value === 'string') return value.length * 3;
  return value instanceof Uint8Array ? value.length : 0;
}

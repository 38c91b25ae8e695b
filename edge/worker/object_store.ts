/** ObjectStore: the edge's store, the SQLite of one Durable Object. It commits before any answer leaves, by the output gate. */
import { type SqlRow, type SqlStatement, type SqlStore, type SqlValue, StoreError } from '../../wasm/sql_store.ts';

export class ObjectStore implements SqlStore {
  #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  query(sql: string, params: SqlValue[]): SqlRow[] {
    try {
      const rows = this.#storage.sql.exec(sql, ...params.map(bound)).raw();
      return Array.from(rows, (row) => row.map(readBack));
    } catch (error) {
      throw storeError(error);
    }
  }

  commit(batch: SqlStatement[]): void {
    try {
      this.#storage.transactionSync(() => {
        for (const { sql, params } of batch) this.#storage.sql.exec(sql, ...params.map(bound));
      });
    } catch (error) {
      throw storeError(error);
    }
  }
}

// An object's SQL knows one kind of number, the double, and refuses bigint. The port promises no integer past 2^53.
function bound(value: SqlValue): SqlStorageValue {
  if (typeof value === 'bigint') return Number(value);
  if (!(value instanceof Uint8Array)) return value;
  const { buffer, byteOffset, byteLength } = value;
  return buffer.byteLength === byteLength
    ? (buffer as ArrayBuffer)
    : (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}

function readBack(value: SqlStorageValue): SqlValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

function storeError(error: unknown): StoreError {
  const message = error instanceof Error ? error.message : String(error);
  const kind = /SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)/.test(message)
    ? 'conflict'
    : /SQLITE_FULL|storage.*(limit|exceeded)/i.test(message)
      ? 'full'
      : 'io';
  return new StoreError(kind, message, error);
}

/**
 * SqlStore: the transactional store that a home gives the core, as core/store/sql_store.hpp asks for it. The module's side of
 * it never throws: a refusal is a status in the answer, since no JavaScript exception may cross into C++.
 */
import { decodeBatch, decodeStatement, encodeRefusal, encodeRows } from './wire.ts';

/** Integers are bigint and doubles number, so that 2 and 2.0 come back as they went in. */
export type SqlValue = null | bigint | number | string | Uint8Array;
export type SqlRow = SqlValue[];

export interface SqlStatement {
  sql: string;
  params: SqlValue[];
}

export interface SqlStore {
  /** Reads. Throws StoreError if the store refuses. */
  query(sql: string, params: SqlValue[]): SqlRow[];
  /** All statements or none, durable before any answer leaves the home. Throws StoreError, having changed nothing. */
  commit(batch: SqlStatement[]): void;
  /** As commit, but a crash of the machine may undo it until the next commit; a store that knows no difference lacks it. */
  commitAhead?(batch: SqlStatement[]): void;
}

/** `full` tells a full disk from the rest; `conflict` a violated uniqueness constraint. */
export type StoreErrorKind = 'conflict' | 'full' | 'io';

export class StoreError extends Error {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
    this.kind = kind;
  }
}

/** What the module calls: bytes in, bytes out. */
export interface StorePort {
  query(request: Uint8Array): Uint8Array;
  commit(request: Uint8Array): Uint8Array;
  commitAhead(request: Uint8Array): Uint8Array;
}

/** The store as the module calls it. */
export function storePort(store: SqlStore): StorePort {
  return {
    query: (request) =>
      answered(() => {
        const { sql, params } = decodeStatement(request);
        return store.query(sql, params);
      }),
    commit: (request) =>
      answered(() => {
        store.commit(decodeBatch(request));
        return [];
      }),
    commitAhead: (request) =>
      answered(() => {
        const batch = decodeBatch(request);
        if (store.commitAhead) store.commitAhead(batch);
        else store.commit(batch);
        return [];
      }),
  };
}

function answered(work: () => SqlRow[]): Uint8Array {
  try {
    return encodeRows(work());
  } catch (error) {
    const kind = error instanceof StoreError ? error.kind : 'io';
    return encodeRefusal(kind, error instanceof Error ? error.message : String(error));
  }
}

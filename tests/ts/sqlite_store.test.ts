/** The page's store over sqlite-wasm keeps what the port promises, here in memory; e2e/page runs the same over OPFS. */
import { describe, expect, test } from 'vitest';
import { storePort, StoreError } from '../../wasm/sql_store.ts';
import { startSqlite } from '../../worker/sqlite.ts';
import { SqliteStore, type SqliteStoreOptions } from '../../worker/sqlite_store.ts';
import { type CheckResult, startSuites } from '../conformance/suites.ts';
import { builtModule } from './support/module.ts';

const sqlite = await startSqlite();
const suites = await startSuites(await builtModule('conformance'));

function memoryStore(options?: SqliteStoreOptions): SqliteStore {
  return new SqliteStore(sqlite, new sqlite.oo1.DB(':memory:').pointer!, options);
}

describe('the page’s store over a database in memory', () => {
  const results = JSON.parse(suites.run_store_checks(storePort(memoryStore()))) as CheckResult[];
  test.each(results)('$name', ({ failure }) => expect(failure).toBeNull());

  test('a scratch that grew for a large value serves small ones after it', () => {
    const store = memoryStore();
    store.commit([{ sql: 'CREATE TABLE t (a)', params: [] }]);
    const large = new Uint8Array(6 << 20).fill(7);
    store.commit([{ sql: 'INSERT INTO t VALUES (?)', params: [large] }]);
    store.commit([{ sql: 'INSERT INTO t VALUES (?)', params: ['é'] }]);
    expect(store.query('SELECT length(a) FROM t ORDER BY rowid', [])).toEqual([[BigInt(large.length)], [1n]]);
    store.close();
  });

  test('a page limit that is reached is a full store, and the store goes on', () => {
    const store = memoryStore();
    store.commit([{ sql: 'CREATE TABLE t (a)', params: [] }]);
    store.pragma('PRAGMA max_page_count = 10');
    const insert = { sql: 'INSERT INTO t VALUES (?)', params: [new Uint8Array(1 << 20)] };
    expect(() => store.commit([insert])).toThrow(StoreError);
    expect(() => store.commit([insert])).toThrow(expect.objectContaining({ kind: 'full' }));
    expect(store.query('SELECT count(*) FROM t', [])).toEqual([[0n]]);
    store.close();
  });
});

/**
 * Measures SQLite's settings on the pool: small durable commits, bulk chunks and reading them back. It works in a folder of
 * its own, away from any workspace.
 */
import { startSqlite } from '../../worker/sqlite.ts';
import { SqliteStore } from '../../worker/sqlite_store.ts';
import { sqliteWasmUrl } from '../../worker/module.ts';

export interface SettingsCase {
  name: string;
  pragmas: string[];
}

export interface SettingsFigures {
  name: string;
  smallCommitMsP50: number;
  smallCommitMsP95: number;
  bulkWriteMs: number;
  bulkReadMs: number;
}

const smallCommits = 100;
const bulkChunks = 48;

self.onmessage = async ({ data }: MessageEvent<SettingsCase>) => self.postMessage(await measured(data));

async function measured({ name, pragmas }: SettingsCase): Promise<SettingsFigures> {
  const sqlite = await startSqlite(sqliteWasmUrl);
  const pool = await sqlite.installOpfsSAHPoolVfs({
    name: `bench-${name}`,
    directory: `bench/${crypto.randomUUID()}`,
    initialCapacity: 4,
  });
  const out = sqlite.wasm.pstack.alloc(4);
  sqlite.capi.sqlite3_open_v2('/bench.sqlite', out, 6, pool.vfsName);
  const store = new SqliteStore(sqlite, sqlite.wasm.peekPtr(out));
  for (const pragma of pragmas) store.pragma(`PRAGMA ${pragma}`);
  store.commit([
    { sql: 'CREATE TABLE chunks (blob INTEGER, n INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (blob, n))', params: [] },
    { sql: 'CREATE TABLE a (id TEXT PRIMARY KEY, t TEXT) WITHOUT ROWID', params: [] },
    { sql: 'CREATE TABLE b (id INTEGER PRIMARY KEY, t TEXT)', params: [] },
    { sql: 'CREATE TABLE c (t TEXT, e INTEGER, PRIMARY KEY (t, e)) WITHOUT ROWID', params: [] },
  ]);
  const small = smallCommitTimes(store);
  const began = performance.now();
  const chunk = crypto.getRandomValues(new Uint8Array(65536));
  for (let n = 0; n < bulkChunks; ++n) {
    const bytes = new Uint8Array(1 << 20);
    for (let at = 0; at < bytes.length; at += chunk.length) bytes.set(chunk, at);
    store.commit([{ sql: 'INSERT INTO chunks VALUES (0, ?, ?)', params: [BigInt(n), bytes] }]);
  }
  const written = performance.now();
  for (let n = 0; n < bulkChunks; ++n) store.query('SELECT bytes FROM chunks WHERE blob = 0 AND n = ?', [BigInt(n)]);
  const read = performance.now();
  store.close();
  pool.pauseVfs();
  return { name, ...small, bulkWriteMs: written - began, bulkReadMs: read - written };
}

/** As a version is made: a small segment, and a row each in three tables. */
function smallCommitTimes(store: SqliteStore): Pick<SettingsFigures, 'smallCommitMsP50' | 'smallCommitMsP95'> {
  const times: number[] = [];
  for (let i = 1; i <= smallCommits; ++i) {
    const began = performance.now();
    store.commit([
      { sql: 'INSERT INTO chunks VALUES (?, 0, ?)', params: [BigInt(i), new Uint8Array(900).fill(i)] },
      { sql: 'INSERT INTO a VALUES (?, ?)', params: [`table ${i}`, 'x'.repeat(200)] },
      { sql: 'INSERT INTO b VALUES (?, ?)', params: [BigInt(i), 'y'.repeat(300)] },
      { sql: 'INSERT INTO c VALUES (?, ?)', params: ['t', BigInt(i)] },
    ]);
    times.push(performance.now() - began);
  }
  times.sort((x, y) => x - y);
  return { smallCommitMsP50: times[smallCommits / 2]!, smallCommitMsP95: times[Math.floor(smallCommits * 0.95)]! };
}

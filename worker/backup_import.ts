/**
 * A backup on its way in: it is laid beside the store as a generation of its own and looked through before anything else
 * knows of it. A file that is refused leaves nothing behind.
 */
import { HomeError, type Progress } from '../wasm/home.ts';
import { macrotask } from '../wasm/macrotask.ts';
import type { SqlStore } from '../wasm/sql_store.ts';
import { installPool, OpfsStore } from './opfs_store.ts';
import { bytesOf } from './page_home.ts';
import { Sha256 } from '../wasm/sha256.ts';
import type { Sqlite3Static } from './sqlite.ts';
import type { SqliteStore } from './sqlite_store.ts';
import { databasePath, type StoreFolder } from './store_folder.ts';

export interface ImportContext {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
}

/** Lays the file beside the store and opens it. Throws HomeError, having removed it again, if it is no whole backup. */
export async function openBackup(
  folder: StoreFolder,
  sqlite: Sqlite3Static,
  file: Blob,
  context: ImportContext,
): Promise<OpfsStore> {
  await refuseEarly(file);
  const generation = await folder.nextGeneration();
  let opened: OpfsStore | undefined;
  try {
    await copyIn(folder, sqlite, generation, file, context);
    opened = await OpfsStore.open(folder, { name: generation, files: [] }, Promise.resolve(sqlite), false);
    await checkBackup(opened.store, context);
    return opened;
  } catch (error) {
    opened?.close();
    await folder.remove(generation);
    context.signal.throwIfAborted();
    throw error instanceof HomeError && !/^storage_/.test(error.answer.error) ? error : damaged(error);
  }
}

const magic = 'SQLite format 3\0';

async function refuseEarly(file: Blob): Promise<void> {
  const head = await file.slice(0, magic.length).text();
  if (head !== magic) {
    throw new HomeError(
      'not_a_backup',
      'The file is no backup of Stele.',
      'Choose a file that "Save a backup" made, or the file of a desk. Nothing was changed.',
    );
  }
  const { quota, usage } = await navigator.storage.estimate();
  if (quota !== undefined && usage !== undefined && quota - usage < file.size) {
    throw new HomeError(
      'storage_full',
      `The backup has ${file.size} bytes, and the browser gives this site ${Math.max(0, quota - usage)} more.`,
      'Free space on the disk, or let the workspace before the last import go. Nothing was changed.',
    );
  }
}

async function copyIn(
  folder: StoreFolder,
  sqlite: Sqlite3Static,
  generation: string,
  file: Blob,
  { signal, onProgress }: ImportContext,
): Promise<void> {
  await folder.pool(generation);
  const pool = await installPool(sqlite, folder, generation);
  const chunks = bytesOf(file.stream(), signal);
  let done = 0;
  try {
    await pool.importDb(databasePath, async () => {
      const chunk = await chunks.next();
      if (chunk.done) return undefined;
      done += chunk.value.length;
      onProgress({ done, total: file.size, what: 'copying the backup' });
      return chunk.value;
    });
  } finally {
    await chunks.return(undefined);
    pool.pauseVfs();
  }
}

/** Every page of the database and every byte of the segments, against their digests. */
export async function checkBackup(store: SqliteStore, context: ImportContext): Promise<void> {
  const [version] = schemaVersion(store);
  if (version === undefined) {
    throw new HomeError(
      'not_a_backup',
      'The file is a SQLite database, but no backup of Stele.',
      'Choose a file that "Save a backup" made, or the file of a desk. Nothing was changed.',
    );
  }
  const tables = store.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", []);
  for (const [name] of tables) {
    context.signal.throwIfAborted();
    const found = store.pragma(`PRAGMA quick_check(${quoted(String(name))})`);
    if (found[0]?.[0] !== 'ok') throw damaged(new Error(`${String(name)}: ${String(found[0]?.[0])}`));
    await macrotask();
  }
  await checkDigests(store, context);
}

function schemaVersion(store: SqlStore): unknown[] {
  const meta = store.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'", []);
  return meta.length > 0 ? (store.query("SELECT value FROM meta WHERE key = 'schema_version'", [])[0] ?? []) : [];
}

async function checkDigests(store: SqlStore, { signal, onProgress }: ImportContext): Promise<void> {
  const blobs = store.query('SELECT id, size, sha256 FROM blobs WHERE published = 1 ORDER BY id', []);
  const total = blobs.reduce((sum, [, size]) => sum + Number(size), 0);
  let done = 0;
  for (const [id = null, size, sha256] of blobs) {
    const digest = new Sha256();
    let bytes = 0;
    for (let n = 0n; bytes < Number(size); ++n) {
      signal.throwIfAborted();
      const [chunk] = store.query('SELECT bytes FROM chunks WHERE blob = ? AND n = ?', [id, n]);
      if (!(chunk?.[0] instanceof Uint8Array))
        throw damaged(new Error(`part ${n} of segment ${String(id)} is missing`));
      digest.update(chunk[0]);
      bytes += chunk[0].length;
      done += chunk[0].length;
      onProgress({ done, total, what: 'checking the backup' });
      await macrotask();
    }
    if (digest.hex() !== sha256) throw damaged(new Error(`segment ${String(id)} is not what its digest says`));
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function damaged(error: unknown): HomeError {
  return new HomeError(
    'damaged_backup',
    `The backup is not whole: ${error instanceof Error ? error.message : String(error)}.`,
    'Choose another copy of it. Nothing was changed.',
  );
}

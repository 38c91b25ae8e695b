/**
 * OpfsStore: the page's store, one SQLite database in sqlite-wasm's pool of files. The caller holds the Web Lock. Nothing here
 * ever empties or removes the store because it could not be opened.
 */
import { HomeError } from '../wasm/home.ts';
import { DiskProbe } from './disk_probe.ts';
import { checkPool, DamagedPool, type PoolFile } from './pool_files.ts';
import { DamagedRecord, SmallRecord } from './record.ts';
import { type Sqlite3Static } from './sqlite.ts';
import { SqliteStore } from './sqlite_store.ts';

type Pool = Awaited<ReturnType<Sqlite3Static['installOpfsSAHPoolVfs']>>;

/** What the store says of itself beside the pool: which database is the workspace's, and which file of the pool is what. */
interface StoreRecord {
  database: string;
  /** The database before the last import of a backup, kept so that the import can be undone. */
  previous: string | null;
  files: PoolFile[];
}

const firstRecord: StoreRecord = { database: '/stele-1.sqlite', previous: null, files: [] };
/** Database and WAL of the workspace, of an import under way, and of the database before the last one. */
const poolFiles = 8;
const installAttempts = 40;
const installRetryMs = 50;

// Measured: docs/homes.md.
const settings = `
  PRAGMA page_size = 65536;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 256;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384`
  .split(';')
  .map((line) => line.trim());

export class OpfsStore {
  readonly sqlite: Sqlite3Static;
  readonly store: SqliteStore;
  /** Names of files whose headers were damaged and written anew. */
  readonly repaired: string[];
  #pool: Pool;
  #probe: DiskProbe;

  private constructor(sqlite: Sqlite3Static, pool: Pool, store: SqliteStore, probe: DiskProbe, repaired: string[]) {
    this.sqlite = sqlite;
    this.store = store;
    this.repaired = repaired;
    this.#pool = pool;
    this.#probe = probe;
  }

  /** Throws HomeError: storage_unavailable if the browser gives no storage, storage_damaged if what it holds is not whole. */
  static async open(workspace: string, startSqlite: Promise<Sqlite3Static>): Promise<OpfsStore> {
    const folder = await workspaceFolder(workspace);
    const keeping = new SmallRecord(folder, 'store');
    const { record, repaired, isNew } = await looked(folder, keeping);
    const sqlite = await startSqlite;
    const pool = await installed(sqlite, workspace);
    let probe: DiskProbe | undefined;
    try {
      if (!isNew && !pool.getFileNames().includes(record.database)) throw missing(record.database);
      await pool.reserveMinimumCapacity(poolFiles);
      probe = await DiskProbe.open(folder);
      const store = openDatabase(sqlite, pool, record.database, probe);
      const opened = new OpfsStore(sqlite, pool, store, probe, repaired);
      await remember(folder, keeping, record);
      return opened;
    } catch (error) {
      probe?.close();
      if (!pool.isPaused()) pool.pauseVfs();
      throw asProblem(error);
    }
  }

  /** Gives the files back, so that another worker can open them at once. */
  close(): void {
    this.store.close();
    this.#probe.close();
    this.#pool.pauseVfs();
  }
}

async function workspaceFolder(workspace: string): Promise<FileSystemDirectoryHandle> {
  try {
    const root = await navigator.storage.getDirectory();
    const stele = await root.getDirectoryHandle('stele', { create: true });
    return await stele.getDirectoryHandle(workspace, { create: true });
  } catch (error) {
    throw unavailable(error);
  }
}

async function looked(folder: FileSystemDirectoryHandle, keeping: SmallRecord) {
  try {
    const kept = (await keeping.read()) as StoreRecord | undefined;
    const pool = await folder.getDirectoryHandle('pool', { create: true });
    const { used, repaired } = await checkPool(pool, kept?.files ?? []);
    const record = kept ?? firstRecord;
    return { record, repaired, isNew: kept === undefined && used.length === 0 };
  } catch (error) {
    throw asProblem(error);
  }
}

/** Right after another worker's end its handles may still be locked for a moment. */
async function installed(sqlite: Sqlite3Static, workspace: string): Promise<Pool> {
  const options = {
    name: `stele-${workspace}`,
    directory: `stele/${workspace}/pool`,
    initialCapacity: poolFiles,
    verbosity: 0,
    preserveOnInitFailure: true,
    forceReinitIfPreviouslyFailed: true,
  };
  for (let attempt = 1; ; ++attempt) {
    try {
      return await sqlite.installOpfsSAHPoolVfs(options);
    } catch (error) {
      if (attempt === installAttempts) throw unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, installRetryMs));
    }
  }
}

function openDatabase(sqlite: Sqlite3Static, pool: Pool, path: string, probe: DiskProbe): SqliteStore {
  const { capi, wasm } = sqlite;
  const out = wasm.pstack.alloc(4);
  const flags = capi.SQLITE_OPEN_READWRITE | capi.SQLITE_OPEN_CREATE;
  const status = capi.sqlite3_open_v2(path, out, flags, pool.vfsName);
  const database = wasm.peekPtr(out);
  wasm.pstack.restore(out + 4);
  const store = new SqliteStore(sqlite, database, { isDiskFull: () => probe.isFull() });
  try {
    if (status !== 0) throw new Error(`SQLite cannot open ${path} (${status})`);
    for (const line of settings) store.pragma(line);
    // Makes the WAL's file, so that the record below knows it, and shows whether the database can be read.
    store.pragma('BEGIN IMMEDIATE');
    store.pragma('SELECT count(*) FROM sqlite_master');
    store.pragma('COMMIT');
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Keeps which file of the pool is what, so that a damaged header can be written anew. */
async function remember(folder: FileSystemDirectoryHandle, keeping: SmallRecord, record: StoreRecord): Promise<void> {
  const { used: files } = await checkPool(await folder.getDirectoryHandle('pool'), record.files);
  const next = { ...record, files: files.sort((a, b) => a.name.localeCompare(b.name)) };
  if (JSON.stringify(next) !== JSON.stringify(await keeping.read())) await keeping.write(next);
}

function missing(database: string): HomeError {
  return new HomeError(
    'storage_damaged',
    `The workspace's database ${database} is not among the store's files.`,
    'Save what is there with "Export what can be read", then import a backup.',
  );
}

function unavailable(error: unknown): HomeError {
  return new HomeError(
    'storage_unavailable',
    `This browser gives the page no storage: ${error instanceof Error ? error.message : String(error)}`,
    'Open Stele in a window of its own, outside private browsing and outside frames of other sites.',
  );
}

function asProblem(error: unknown): HomeError {
  if (error instanceof HomeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const damaged =
    error instanceof DamagedPool || error instanceof DamagedRecord || /malformed|not a database/.test(message);
  return damaged
    ? new HomeError(
        'storage_damaged',
        `The store was not opened, and nothing in it was changed. ${message}`,
        'Save what is there with "Export what can be read", then import a backup.',
      )
    : new HomeError(
        'storage_unavailable',
        `The store could not be opened, and nothing in it was changed. ${message}`,
        'Try again; if it fails again, close other tabs of Stele or restart the browser.',
      );
}

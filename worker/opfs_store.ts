/**
 * OpfsStore: one generation of the page's store, a SQLite database in sqlite-wasm's pool of files. The caller holds the Web
 * Lock. Nothing here ever empties or removes a store because it could not be opened.
 */
import { HomeError } from '../wasm/home.ts';
import { isLocked, lockedAttempts, lockedRetryMs } from './access_handle.ts';
import { DiskProbe } from './disk_probe.ts';
import type { Sqlite3Static } from './sqlite.ts';
import { SqliteStore } from './sqlite_store.ts';
import { databasePath, type Generation, type StoreFolder, storeProblem } from './store_folder.ts';

export type Pool = Awaited<ReturnType<Sqlite3Static['installOpfsSAHPoolVfs']>>;

/** The database, its WAL, and as many to spare. */
const poolFiles = 4;
/** Of an installation that fails for another reason than that the files are held. */
const otherAttempts = 60;

// Measured: docs/homes.md. The lock's mode comes first, since whatever reads a database with a WAL wants shared memory
// otherwise; page size and vacuum count only before the database has its first page.
export const checkpointPages = 256;
const settings = [
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA page_size = 65536',
  'PRAGMA auto_vacuum = INCREMENTAL',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  `PRAGMA wal_autocheckpoint = ${checkpointPages}`,
  'PRAGMA journal_size_limit = 33554432',
  'PRAGMA temp_store = MEMORY',
  'PRAGMA cache_size = -16384',
];

export class OpfsStore {
  readonly store: SqliteStore;
  /** With the files that its pool has now. */
  readonly generation: Generation;
  /** Names of files whose headers were damaged and written anew. */
  readonly repaired: string[];
  #pool: Pool;
  #probe: DiskProbe;

  private constructor(store: SqliteStore, generation: Generation, repaired: string[], pool: Pool, probe: DiskProbe) {
    this.store = store;
    this.generation = generation;
    this.repaired = repaired;
    this.#pool = pool;
    this.#probe = probe;
  }

  /**
   * Opens a generation; makes its database only if `mayMake`. Throws HomeError: storage_unavailable if the browser gives no
   * access, storage_damaged if what is there is not whole.
   */
  static async open(
    folder: StoreFolder,
    generation: Generation,
    sqlite: Promise<Sqlite3Static>,
    mayMake: boolean,
  ): Promise<OpfsStore> {
    let pool: Pool | undefined;
    let probe: DiskProbe | undefined;
    try {
      const { used, repaired } = await folder.check(generation);
      if (!mayMake && !used.some(({ path }) => path === databasePath)) throw missing();
      const started = await sqlite;
      pool = await installPool(started, folder, generation.name);
      probe = await DiskProbe.open(folder.handle, generation.name);
      const store = openDatabase(started, pool, probe);
      const { used: files } = await folder.check({ name: generation.name, files: used });
      files.sort((a, b) => a.path.localeCompare(b.path));
      return new OpfsStore(store, { name: generation.name, files }, repaired, pool, probe);
    } catch (error) {
      probe?.close();
      pool?.pauseVfs();
      throw storeProblem(error);
    }
  }

  /** Gives the files back, so that another worker can open them at once. */
  close(): void {
    this.store.close();
    this.#probe.close();
    this.#pool.pauseVfs();
  }
}

/**
 * The pool of a generation, whose headers have been looked at. Right after another worker's end its handles may still be
 * locked for a moment.
 */
export async function installPool(
  sqlite: Sqlite3Static,
  { workspace }: StoreFolder,
  generation: string,
): Promise<Pool> {
  const options = {
    name: `stele-${workspace}-${generation}`,
    directory: `stele/${workspace}/${generation}`,
    initialCapacity: poolFiles,
    verbosity: 0,
    preserveOnInitFailure: true,
    forceReinitIfPreviouslyFailed: true,
  };
  for (let attempt = 1; ; ++attempt) {
    try {
      // One that was paused in this worker is taken up again.
      const pool = await sqlite.installOpfsSAHPoolVfs(options);
      await pool.unpauseVfs();
      await pool.reserveMinimumCapacity(poolFiles);
      return pool;
    } catch (error) {
      if (attempt >= (isLocked(error) ? lockedAttempts : otherAttempts)) throw error;
      await new Promise((resolve) => setTimeout(resolve, lockedRetryMs));
    }
  }
}

function openDatabase(sqlite: Sqlite3Static, pool: Pool, probe: DiskProbe): SqliteStore {
  const { capi, wasm } = sqlite;
  const out = wasm.pstack.alloc(4);
  const flags = capi.SQLITE_OPEN_READWRITE | capi.SQLITE_OPEN_CREATE;
  const status = capi.sqlite3_open_v2(databasePath, out, flags, pool.vfsName);
  const store = new SqliteStore(sqlite, wasm.peekPtr(out), { isDiskFull: () => probe.isFull() });
  wasm.pstack.restore(out + 4);
  try {
    if (status !== 0) throw new Error(`SQLite cannot open the database (${status}).`);
    for (const line of settings) store.pragma(line);
    // Takes the lock, makes the WAL's file and shows whether the database can be read at all.
    store.commit([{ sql: 'SELECT count(*) FROM sqlite_schema', params: [] }]);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

function missing(): HomeError {
  return new HomeError(
    'storage_damaged',
    "The workspace's database is not among the store's files.",
    'Save what can be read, then import a backup; what lies here now is kept beside it.',
  );
}

/**
 * WorkspaceCore: the store of a workspace and the core over it, and how one store takes the other's place. It is used while
 * the Web Lock is held, and knows no tabs.
 */
import { Core } from '../wasm/core.ts';
import { CoreError, type ErrorAnswer, type Host, type Module } from '../wasm/instance.ts';
import { HomeError } from '../wasm/home.ts';
import { macrotask } from '../wasm/macrotask.ts';
import type { SqlStore } from '../wasm/sql_store.ts';
import { BackupExport } from './backup_export.ts';
import { type ImportContext, openBackup } from './backup_import.ts';
import { loadModule, sqliteWasmUrl } from './module.ts';
import { checkpointPages, OpfsStore } from './opfs_store.ts';
import type { PageHome } from './page_home.ts';
import type { CoreSettings, StoreFacts } from './protocol.ts';
import { DamagedRecord } from './record.ts';
import { startSqlite } from './sqlite.ts';
import { type Generation, StoreFolder, type StoreRecord, storeProblem } from './store_folder.ts';

const host: Host = {
  nowMs: () => Date.now(),
  randomBytes: (into) => void crypto.getRandomValues(into as Uint8Array<ArrayBuffer>),
  log: (line) => console.debug(line),
};

interface Opened {
  store: OpfsStore;
  core: Core;
  exporting: BackupExport;
}

export class WorkspaceCore {
  #workspace: string;
  #settings: CoreSettings;
  #home: PageHome;
  #compiling: MessagePort | undefined;
  #module: Promise<Module> | undefined;
  #opened: Opened | undefined;
  #problem: ErrorAnswer | null = null;
  #running = new Set<Promise<unknown>>();
  /** While one store takes the other's place, calls wait. */
  #changing: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(workspace: string, settings: CoreSettings, home: PageHome, compiling?: MessagePort) {
    this.#workspace = workspace;
    this.#settings = settings;
    this.#home = home;
    this.#compiling = compiling;
  }

  /** Why the store is not open. */
  get problem(): ErrorAnswer | null {
    return this.#problem;
  }

  /** Opens the store, unless it is open. Does not throw: what went wrong is a problem that every call is told of. */
  async open(): Promise<void> {
    if (this.#opened) return;
    try {
      void this.#loaded().catch(() => {});
      const sqlite = startSqlite(sqliteWasmUrl);
      const folder = await StoreFolder.open(this.#workspace);
      const { record, isNew } = await currentRecord(folder);
      const store = await OpfsStore.open(folder, record.current, sqlite, isNew);
      await rememberFiles(folder, isNew ? undefined : record, store.generation);
      this.#opened = await this.#over(store);
      this.#problem = null;
      this.#prepare(this.#opened);
    } catch (error) {
      this.#problem = answerOf(error);
    }
  }

  /** Runs work on the core; a store that is being replaced lets it end first. */
  async run<T>(work: (core: Core) => Promise<T>): Promise<T> {
    await this.#changing.catch(() => {});
    // No answer is the right one: whoever waits asks the next leader.
    if (this.#closed) return new Promise(() => {});
    const running = work(this.#ready().core);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** What the tables lie in; another one after an import. */
  get store(): SqlStore {
    return this.#ready().store.store;
  }

  get exporting(): BackupExport {
    return this.#ready().exporting;
  }

  async facts(): Promise<StoreFacts> {
    const { pages, free } = this.#opened ? sizesOf(this.#opened.store) : { pages: 0, free: 0 };
    const folder = await StoreFolder.open(this.#workspace);
    const record = await folder.read().catch(() => undefined);
    return {
      problem: this.#problem,
      storeBytes: pages,
      freeBytes: free,
      hasPrevious: (record?.previous ?? null) !== null,
    };
  }

  /** Puts a backup in the workspace's place. What was there before is kept, so that it can be undone. */
  importBackup(file: Blob, context: ImportContext): Promise<void> {
    return this.#change(async () => {
      const folder = await StoreFolder.open(this.#workspace);
      const backup = await openBackup(folder, await startSqlite(sqliteWasmUrl), file, context);
      let next: Opened;
      try {
        next = await this.#over(backup);
        // The core opens it, brings its schema up to date, or says why not.
        await next.core.tools();
      } catch (error) {
        backup.close();
        await folder.remove(backup.generation.name);
        throw error;
      }
      await this.#replaceBy(folder, next);
    });
  }

  /** An empty workspace in the place of one that cannot be opened, which stays beside it. */
  startEmpty(): Promise<void> {
    return this.#change(async () => {
      if (!this.#problem) throw notNow('The workspace can be opened.', 'Delete tables instead.');
      const folder = await StoreFolder.open(this.#workspace);
      const generation = { name: await folder.nextGeneration(), files: [] };
      const store = await OpfsStore.open(folder, generation, startSqlite(sqliteWasmUrl), true);
      await this.#replaceBy(folder, await this.#over(store));
    });
  }

  /** The workspace before the last import, and with it what came after, change places. */
  async undoImport(): Promise<void> {
    await this.#change(async () => {
      const folder = await StoreFolder.open(this.#workspace);
      const record = await folder.read();
      if (!record?.previous) throw notNow('There is no workspace from before an import.', 'Import a backup.');
      await this.#release();
      await folder.write({ ...record, current: record.previous, previous: record.current });
    });
    await this.open();
  }

  /** Lets what the present workspace took the place of go, for its space. */
  discardPrevious(): Promise<void> {
    return this.#change(async () => {
      const folder = await StoreFolder.open(this.#workspace);
      const record = await folder.read();
      if (!record?.previous) return;
      await folder.write({ current: record.current, previous: null });
      for (const name of [record.previous.name, ...(record.aside ?? [])]) await folder.remove(name);
    });
  }

  /** The store's files as they lie there, readable or not. */
  async salvage(): Promise<File[]> {
    const folder = await StoreFolder.open(this.#workspace);
    const record = await folder.read().catch(() => undefined);
    const generations: Generation[] = record
      ? [record.current]
      : (await folder.generations()).map((name) => ({ name, files: [] }));
    return (await Promise.all(generations.map((generation) => folder.salvage(generation)))).flat();
  }

  /** Gives space that staged bytes and dead segments left inside the file back to the disk, a little at a time. */
  async giveSpaceBack(): Promise<void> {
    for (;;) {
      if (!this.#opened || this.#running.size > 0) return;
      const { pages, free } = sizesOf(this.#opened.store);
      if (free < spareBytesMin || free < pages / 4) return;
      this.#opened.store.store.pragma(`PRAGMA incremental_vacuum(${vacuumPages})`);
      await macrotask();
    }
  }

  /** Gives the store to the next leader: calls that run have a moment to end, then `silence` is called and they are dropped. */
  async close(silence: () => void): Promise<void> {
    this.#closed = true;
    await this.#change(async () => {
      await this.#idle(closingMsMax);
      silence();
      this.#drop();
    });
  }

  #ready(): Opened {
    if (this.#opened) return this.#opened;
    const { error, message, hint } = this.#problem ?? closing;
    throw new HomeError(error, message, hint);
  }

  #loaded(): Promise<Module> {
    this.#module ??= loadModule(this.#compiling).catch((error: unknown) => {
      this.#module = this.#compiling = undefined;
      throw error;
    });
    return this.#module;
  }

  /** The engine opens when a call needs it, or else once a first page has what it asked for. */
  #prepare(opened: Opened): void {
    const ignored = () => {}; // the next call fails for the same reason, and says so
    void opened.core.start().catch(ignored);
    setTimeout(() => this.#opened === opened && void opened.core.prepare().catch(ignored), firstCallsMs);
  }

  async #over(store: OpfsStore): Promise<Opened> {
    const { limits, memoryBytesMax } = this.#settings;
    const exporting = new BackupExport(await startSqlite(sqliteWasmUrl), store.store, checkpointPages);
    const module = await this.#loaded().catch((error: unknown) => {
      store.close();
      throw error;
    });
    const core = new Core({ module, store: store.store, host, home: this.#home, limits, memoryBytesMax });
    return { store, core, exporting };
  }

  /** One change of the store at a time, each after the calls that run have ended. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    const changing = this.#changing.catch(() => {}).then(work);
    this.#changing = changing;
    return changing;
  }

  async #replaceBy(folder: StoreFolder, next: Opened): Promise<void> {
    const { generation } = next.store;
    const before = await folder.read().catch(() => undefined);
    const others = (await folder.generations()).filter((name) => name !== generation.name);
    const previous = before?.current ?? (others.length > 0 ? { name: others.at(-1)!, files: [] } : null);
    // Of a workspace that could not be opened nothing is let go, since any part may be the one that is whole.
    const isOpen = this.#opened !== undefined;
    const aside = isOpen ? before?.aside : others.filter((name) => name !== previous?.name);
    await this.#release();
    await folder.write({ current: generation, previous, ...(aside?.length ? { aside } : {}) });
    this.#opened = next;
    this.#problem = null;
    if (isOpen && before?.previous) await folder.remove(before.previous.name);
  }

  async #release(): Promise<void> {
    await this.#idle(runningMsMax);
    this.#drop();
  }

  async #idle(msMax: number): Promise<void> {
    await Promise.race([Promise.allSettled(this.#running), new Promise((resolve) => setTimeout(resolve, msMax))]);
  }

  #drop(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    if (!opened) return;
    opened.core.drop();
    opened.exporting.close();
    opened.store.close();
  }
}

/** In which a page asks for its list of tables; opening the engine takes as long. */
const firstCallsMs = 150;
const runningMsMax = 10_000;
/** Less than the two seconds in which another tab should have taken over. */
const closingMsMax = 1000;
const spareBytesMin = 64 << 20;
const vacuumPages = 64;
const closing: ErrorAnswer = { error: 'busy', message: 'The store is being closed.', hint: 'Call again.' };

async function currentRecord(folder: StoreFolder): Promise<{ record: StoreRecord; isNew: boolean }> {
  const kept = await folder.read();
  if (kept) {
    await removeUnfinished(folder, kept);
    return { record: kept, isNew: false };
  }
  // A first visit, or one that ended before its record was written.
  const [name = 'g1', ...others] = await folder.generations();
  if (others.length > 0) throw new DamagedRecord('The record of which store is the current one is missing.');
  return { record: { current: { name, files: [] }, previous: null }, isNew: true };
}

/** Imports that were cut off: the record never named them. */
async function removeUnfinished(folder: StoreFolder, { current, previous, aside = [] }: StoreRecord): Promise<void> {
  const named = [current.name, previous?.name, ...aside];
  for (const name of await folder.generations()) if (!named.includes(name)) await folder.remove(name);
}

/** `record` as it was read, if there is one: nobody else writes it while the lock is held. */
async function rememberFiles(folder: StoreFolder, record: StoreRecord | undefined, current: Generation): Promise<void> {
  const next: StoreRecord = { previous: null, ...record, current };
  if (JSON.stringify(next) !== JSON.stringify(record)) await folder.write(next);
}

function sizesOf({ store }: OpfsStore): { pages: number; free: number } {
  const number = (pragma: string) => Number(store.pragma(`PRAGMA ${pragma}`)[0]?.[0] ?? 0);
  const page = number('page_size');
  return { pages: number('page_count') * page, free: number('freelist_count') * page };
}

function notNow(message: string, hint: string): HomeError {
  return new HomeError('not_now', message, hint);
}

function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof HomeError || error instanceof CoreError) return error.answer;
  return storeProblem(error).answer;
}

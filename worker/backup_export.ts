/**
 * BackupExport: the store as one SQLite database file, read out while calls go on. What is committed meanwhile goes to the WAL
 * and stays there until the last reader is done, so the file that is read does not change.
 */
import { DatabaseFile } from './database_file.ts';
import type { Sqlite3Static } from './sqlite.ts';
import type { SqliteStore } from './sqlite_store.ts';

/** Of the header: a database that any SQLite reads without a WAL beside it. */
const journalVersionsAt = 18;
const idleMsMax = 60_000;

export interface ExportBegun {
  id: number;
  size: number;
}

export class BackupExport {
  #store: SqliteStore;
  #file: DatabaseFile;
  #checkpointPages: number;
  #reading = new Map<number, ReturnType<typeof setTimeout>>();
  #lastId = 0;

  constructor(sqlite: Sqlite3Static, store: SqliteStore, checkpointPages: number) {
    this.#store = store;
    this.#file = new DatabaseFile(sqlite, store.database);
    this.#checkpointPages = checkpointPages;
  }

  begin(): ExportBegun {
    if (this.#reading.size === 0) {
      this.#store.pragma('PRAGMA wal_checkpoint(TRUNCATE)');
      this.#store.pragma('PRAGMA wal_autocheckpoint = 0');
    }
    const id = ++this.#lastId;
    this.#touch(id);
    return { id, size: this.#file.size() };
  }

  read(id: number, offset: number, length: number): Uint8Array {
    if (!this.#reading.has(id)) throw new Error('The export has ended.');
    this.#touch(id);
    const bytes = this.#file.read(offset, length);
    if (offset === 0) bytes.fill(1, journalVersionsAt, journalVersionsAt + 2);
    return bytes;
  }

  end(id: number): void {
    clearTimeout(this.#reading.get(id));
    if (!this.#reading.delete(id) || this.#reading.size > 0) return;
    this.#store.pragma(`PRAGMA wal_autocheckpoint = ${this.#checkpointPages}`);
  }

  close(): void {
    for (const id of [...this.#reading.keys()]) this.end(id);
  }

  /** A reader that went away without a word must not hold the WAL for ever. */
  #touch(id: number): void {
    clearTimeout(this.#reading.get(id));
    this.#reading.set(
      id,
      setTimeout(() => this.end(id), idleMsMax),
    );
  }
}

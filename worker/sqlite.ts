/** Starts sqlite-wasm, once for a worker, without the file systems that need shared memory. */
import sqlite3InitModule, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm';

type Init = (options: { locateFile?: (name: string) => string }) => Promise<Sqlite3Static>;

/** sqlite-wasm takes its settings from a global, which it removes. */
interface WithSettings {
  sqlite3ApiConfig?: { disable: { vfs: Record<string, boolean> }; warn: (...text: unknown[]) => void };
}

let starting: Promise<Sqlite3Static> | undefined;

export function startSqlite(wasmUrl?: string): Promise<Sqlite3Static> {
  (globalThis as WithSettings).sqlite3ApiConfig = {
    disable: { vfs: { opfs: true, 'opfs-vfs': true, 'opfs-wl': true, kvvfs: true } },
    warn: () => {},
  };
  starting ??= (sqlite3InitModule as unknown as Init)(wasmUrl === undefined ? {} : { locateFile: () => wasmUrl });
  return starting;
}

export type { Sqlite3Static };

/**
 * StoreFolder: a workspace's folder in the origin's own file system. Each generation of the store lies in a folder of its own:
 * an imported backup becomes the next one, and the one before is kept until the person lets it go.
 *
 *     stele/<workspace>/store.0, store.1   the record, in two slots
 *     stele/<workspace>/g1/.opaque/…       sqlite-wasm's pool of the first generation
 *     stele/<workspace>/probe              see disk_probe.ts
 */
import { HomeError } from '../wasm/home.ts';
import { checkPool, DamagedPool, type PoolFile, rawFiles } from './pool_files.ts';
import { headerBytes, parseHeader } from './pool_header.ts';
import { DamagedRecord, SmallRecord } from './record.ts';

export interface Generation {
  /** Of its folder: g1, g2, … */
  name: string;
  /** Which file of the pool is what, so that a damaged header can be written anew. */
  files: PoolFile[];
}

export interface StoreRecord {
  current: Generation;
  previous: Generation | null;
  /** Names of further generations that stay until the person lets them go: a store took their place that could not be opened. */
  aside?: string[];
}

/** The path of the database in every generation's pool. */
export const databasePath = '/stele.sqlite';

export class StoreFolder {
  readonly workspace: string;
  readonly handle: FileSystemDirectoryHandle;
  #record: SmallRecord;

  private constructor(workspace: string, handle: FileSystemDirectoryHandle) {
    this.workspace = workspace;
    this.handle = handle;
    this.#record = new SmallRecord(handle, 'store');
  }

  /** Throws HomeError storage_unavailable where the browser gives no storage. */
  static async open(workspace: string): Promise<StoreFolder> {
    try {
      const root = await navigator.storage.getDirectory();
      const stele = await root.getDirectoryHandle('stele', { create: true });
      return new StoreFolder(workspace, await stele.getDirectoryHandle(workspace, { create: true }));
    } catch (error) {
      throw new HomeError(
        'storage_unavailable',
        `This browser gives the page no storage: ${error instanceof Error ? error.message : String(error)}`,
        'Open Stele in a window of its own, outside private browsing and outside frames of other sites.',
      );
    }
  }

  /** Undefined on a first visit. Throws DamagedRecord if it cannot be read and the folder does not speak for itself. */
  async read(): Promise<StoreRecord | undefined> {
    try {
      return (await this.#record.read()) as StoreRecord | undefined;
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      const [only, ...others] = await this.generations();
      if (only === undefined || others.length > 0) throw error;
      return { current: { name: only, files: [] }, previous: null };
    }
  }

  async write(record: StoreRecord): Promise<void> {
    await this.#record.write(record);
  }

  /** Names of the generations there are, oldest first. */
  async generations(): Promise<string[]> {
    const names: string[] = [];
    for await (const entry of this.handle.values()) {
      if (entry.kind === 'directory' && /^g\d+$/.test(entry.name)) names.push(entry.name);
    }
    return names.sort((a, b) => numberOf(a) - numberOf(b));
  }

  async nextGeneration(): Promise<string> {
    return `g${numberOf((await this.generations()).at(-1) ?? 'g0') + 1}`;
  }

  pool(generation: string): Promise<FileSystemDirectoryHandle> {
    return this.handle.getDirectoryHandle(generation, { create: true });
  }

  /** Of a generation that no record names, or that the person let go. */
  async remove(generation: string): Promise<void> {
    await this.handle.removeEntry(generation, { recursive: true });
  }

  /** Looks at the headers, mends those that the record knows. Throws DamagedPool for the rest. */
  async check({ name, files }: Generation): Promise<{ used: PoolFile[]; repaired: string[] }> {
    return checkPool(await this.pool(name), files);
  }

  /** The generation's files as they lie there, without the pool's headers, for a person who takes them away. */
  async salvage({ name, files }: Generation): Promise<File[]> {
    const known = new Map(files.map((file) => [file.name, file.path]));
    const raw = await rawFiles(await this.pool(name));
    const named = raw.map(async (file) => {
      const header = parseHeader(new Uint8Array(await file.slice(0, headerBytes).arrayBuffer()));
      const path = (header.kind === 'used' ? header.path : known.get(file.name)) ?? (await pathByContent(file));
      return new File([file.slice(headerBytes)], path?.replace(/^\//, '') ?? `unknown-${file.name}`);
    });
    return (await Promise.all(named)).filter(({ size }) => size > 0);
  }
}

/** Which file a damaged header was of, by how SQLite begins each: a database is only read whole beside its log. */
async function pathByContent(file: File): Promise<string | undefined> {
  const begin = new Uint8Array(await file.slice(headerBytes, headerBytes + 4).arrayBuffer());
  switch (Array.from(begin, (byte) => byte.toString(16).padStart(2, '0')).join('')) {
    case '53514c69': // "SQLi"
      return databasePath;
    case '377f0682':
    case '377f0683':
      return `${databasePath}-wal`;
    case 'd9d505f9':
      return `${databasePath}-journal`;
    default:
      return undefined;
  }
}

function numberOf(generation: string): number {
  return Number(generation.slice(1));
}

/** What a person is told of an error on the way to an open store. */
export function storeProblem(error: unknown): HomeError {
  if (error instanceof HomeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const damaged =
    error instanceof DamagedPool || error instanceof DamagedRecord || /malformed|not a database/.test(message);
  return damaged
    ? new HomeError(
        'storage_damaged',
        `The store was not opened, and nothing in it was changed. ${message}`,
        'Save what can be read, then import a backup; what lies here now is kept beside it.',
      )
    : new HomeError(
        'storage_unavailable',
        `The store could not be opened, and nothing in it was changed. ${message}`,
        'Try again; if it fails again, close other tabs of Stele or restart the browser.',
      );
}

/** Stele as the desk runs it, but in this thread: the built module over node:sqlite on a real file, its writes counted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deskHome } from '../edge/desk/desk_home.ts';
import { NodeStore } from '../edge/desk/node_store.ts';
import { builtModule, nodeHost } from '../tests/ts/support/module.ts';
import { type Caller, Core } from '../wasm/core.ts';
import type { JsonObject } from '../wasm/instance.ts';
import type { SqlRow, SqlStatement, SqlStore, SqlValue } from '../wasm/sql_store.ts';

const caller: Caller = { author: 'bench', read: true, write: true, share: true, origin: '' };
const memoryBytesMax = 1 << 30; // the desk's

/** A store that counts the bytes of what is written through it. */
class CountingStore implements SqlStore {
  bytesWritten = 0;
  #store: NodeStore;

  constructor(store: NodeStore) {
    this.#store = store;
  }

  query(sql: string, params: SqlValue[]): SqlRow[] {
    return this.#store.query(sql, params);
  }

  commit(batch: SqlStatement[]): void {
    this.#count(batch);
    this.#store.commit(batch);
  }

  commitAhead(batch: SqlStatement[]): void {
    this.#count(batch);
    this.#store.commitAhead(batch);
  }

  close(): void {
    this.#store.close();
  }

  #count(batch: SqlStatement[]): void {
    for (const { params } of batch) for (const value of params) this.bytesWritten += bytesOf(value);
  }
}

function bytesOf(value: SqlValue): number {
  if (value === null) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : 8;
}

export class Stele {
  #core: Core;
  #store: CountingStore;
  #folder: string;

  private constructor(core: Core, store: CountingStore, folder: string) {
    this.#core = core;
    this.#store = store;
    this.#folder = folder;
  }

  static async open(): Promise<Stele> {
    const folder = mkdtempSync(join(tmpdir(), 'stele-bench-'));
    const store = new CountingStore(new NodeStore(join(folder, 'stele.sqlite')));
    const core = new Core({
      module: await builtModule('stele'),
      store,
      host: nodeHost,
      home: deskHome({ keyFile: join(folder, 'key'), allowPrivate: true }),
      // A subject may take longer than a person would wait.
      limits: { memory_bytes: memoryBytesMax / 2, query_ms: 600_000 },
      memoryBytesMax,
    });
    return new Stele(core, store, folder);
  }

  get bytesWritten(): number {
    return this.#store.bytesWritten;
  }

  /** Throws if the tool refuses. */
  async call(tool: string, args: JsonObject): Promise<JsonObject> {
    const { value, isError } = await this.#core.call(tool, args, caller, { trusted: true });
    if (isError) throw new Error(`${tool}: ${JSON.stringify(value)}`);
    return value;
  }

  query(sql: string): Promise<JsonObject> {
    return this.call('query', { sql, limit: 500 });
  }

  importFile(table: string, file: string, mode: 'create' | 'replace' = 'create'): Promise<JsonObject> {
    return this.call('import_table', { table, source_url: pathToFileURL(file).href, mode });
  }

  /** The first cell of a statement over the store itself. */
  stored(sql: string): number {
    return Number(this.#store.query(sql, [])[0]?.[0] ?? 0);
  }

  close(): void {
    this.#store.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Stele as the app opens it: the worker, the store in the origin's own file system, the tools. */
import { openWorkspace } from '../../worker/client.ts';
import type { Workspace } from '../../worker/workspace.ts';
import { keepOffline } from '../../web/offline.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { Contender } from './contender.ts';

const caller = { author: 'bench', read: true, write: true, share: true, origin: '' };

class Stele implements Contender {
  #workspace!: Workspace;

  /** There is no database that is not kept. A visit is kept for later ones as the app does it, beside nothing that is measured. */
  async open(isDurable: boolean): Promise<{ listedAt: number }> {
    this.#workspace = await openWorkspace({ settings: { limits: { query_ms: 600_000 } } });
    await this.#call('list_tables', {});
    const listedAt = performance.now();
    await this.#call('query', { sql: 'SELECT 42' });
    if (!isDurable) keepOffline();
    return { listedAt };
  }

  async importCsv(table: string, file: File): Promise<void> {
    const { isError, value } = await this.#workspace.importFile(file, { table }, caller);
    if (isError) throw new Error(JSON.stringify(value));
  }

  async query(sql: string): Promise<number> {
    return ((await this.#call('query', { sql, limit: 500 })).rows as unknown[]).length;
  }

  async writeRow(n: number): Promise<void> {
    await this.#call('write_table', { table: 'written', rows: [{ n, text: `row ${n}` }], mode: 'append' });
  }

  async #call(tool: string, args: JsonObject): Promise<JsonObject> {
    const { isError, value } = await this.#workspace.call(tool, args, caller);
    if (isError) throw new Error(`${tool}: ${JSON.stringify(value)}`);
    return value;
  }
}

window.contender = new Stele();

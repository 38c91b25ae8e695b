/** sql.js in a worker. It lives in memory; to keep what was written its whole database is exported to a file. */
import initSqlJs from 'sql.js';
import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url';
import { type Contender, serveContender } from './contender.ts';

class SqlJs implements Contender {
  #database!: initSqlJs.Database;
  #file: FileSystemSyncAccessHandle | undefined;

  async open(isDurable: boolean): Promise<void> {
    const sql = await initSqlJs({ locateFile: () => wasmUrl });
    this.#database = new sql.Database();
    if (isDurable) {
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('sqljs.sqlite', { create: true });
      this.#file = await handle.createSyncAccessHandle();
    }
    await this.query('SELECT 42');
  }

  /** It has no reader of CSV; the files have neither quotes nor commas in their cells. */
  async importCsv(table: string, file: File): Promise<void> {
    const [header, ...lines] = (await file.text()).trimEnd().split('\n');
    const names = header!.split(',');
    this.#database.run(`CREATE TABLE ${table} (${names.map((name) => `${name} ${types[name] ?? 'TEXT'}`).join(', ')})`);
    this.#database.run('BEGIN');
    const insert = this.#database.prepare(`INSERT INTO ${table} VALUES (${names.map(() => '?').join(', ')})`);
    for (const line of lines) insert.run(line.split(','));
    insert.free();
    this.#database.run('COMMIT');
    this.#keep();
  }

  async query(sql: string): Promise<number> {
    return this.#database.exec(sql)[0]?.values.length ?? 0;
  }

  async writeRow(n: number): Promise<void> {
    if (n === 0) this.#database.run('CREATE TABLE written (n INTEGER, text TEXT)');
    this.#database.run('INSERT INTO written VALUES (?, ?)', [n, `row ${n}`]);
    this.#keep();
  }

  #keep(): void {
    if (!this.#file) return;
    const bytes = this.#database.export();
    if (this.#file.write(bytes, { at: 0 }) !== bytes.length) throw new Error('the disk is full');
    this.#file.flush();
  }
}

const types: Record<string, string> = { delay: 'INTEGER', distance: 'INTEGER' };

serveContender(new SqlJs());

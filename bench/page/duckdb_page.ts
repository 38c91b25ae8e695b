/** Published duckdb-wasm with its own worker; what is kept lies in its OPFS database, made durable by a checkpoint. */
import * as duckdb from '@duckdb/duckdb-wasm';
import workerUrl from '@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?url';
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url';
import type { Contender } from './contender.ts';

class DuckDB implements Contender {
  #database!: duckdb.AsyncDuckDB;
  #connection!: duckdb.AsyncDuckDBConnection;

  async open(isDurable: boolean): Promise<void> {
    this.#database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), new Worker(workerUrl));
    await this.#database.instantiate(wasmUrl);
    if (isDurable)
      await this.#database.open({ path: 'opfs://bench.db', accessMode: duckdb.DuckDBAccessMode.READ_WRITE });
    this.#connection = await this.#database.connect();
    await this.query('SELECT 42');
  }

  async importCsv(table: string, file: File): Promise<void> {
    const name = `${table}.csv`;
    await this.#database.registerFileHandle(name, file, duckdb.DuckDBDataProtocol.BROWSER_FILEREADER, true);
    await this.#connection.query(`CREATE TABLE ${table} AS FROM read_csv('${name}', header = true)`);
  }

  async query(sql: string): Promise<number> {
    return (await this.#connection.query(sql)).toArray().length;
  }

  async writeRow(n: number): Promise<void> {
    if (n === 0) await this.#connection.query('CREATE TABLE written (n INTEGER, text VARCHAR)');
    await this.#connection.query(`INSERT INTO written VALUES (${n}, 'row ${n}')`);
    await this.#connection.query('CHECKPOINT');
  }
}

window.contender = new DuckDB();

/** PGlite in a worker, where it can keep its files in the origin's own file system. */
import { PGlite } from '@electric-sql/pglite';
import { OpfsAhpFS } from '@electric-sql/pglite/opfs-ahp';
import { type Contender, serveContender } from './contender.ts';

class Postgres implements Contender {
  #database!: PGlite;

  async open(isDurable: boolean): Promise<void> {
    this.#database = await PGlite.create(isDurable ? { fs: new OpfsAhpFS('pglite') } : {});
    await this.query('SELECT 42');
  }

  /** It reads CSV into tables that are there. */
  async importCsv(table: string, file: File): Promise<void> {
    await this.#database.exec(`CREATE TABLE ${table} (${columns[table]})`);
    await this.#database.query(`COPY ${table} FROM '/dev/blob' WITH (FORMAT csv, HEADER true)`, [], { blob: file });
  }

  async query(sql: string): Promise<number> {
    return (await this.#database.query(sql)).rows.length;
  }

  async writeRow(n: number): Promise<void> {
    if (n === 0) await this.#database.exec('CREATE TABLE written (n INTEGER, text VARCHAR)');
    await this.#database.query('INSERT INTO written VALUES ($1, $2)', [n, `row ${n}`]);
  }
}

const columns: Record<string, string> = {
  flights: 'date TIMESTAMP, delay BIGINT, distance BIGINT, origin TEXT, destination TEXT',
  airports: 'iata TEXT, state TEXT',
};

serveContender(new Postgres());

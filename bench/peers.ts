/** The peers: DuckDB for Node with one thread, and duckdb-wasm in this thread. Also the data that all are measured on. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as DuckDBWasm from '@duckdb/duckdb-wasm/blocking';
import { DuckDBInstance } from '@duckdb/node-api';

const require = createRequire(import.meta.url);
const dataFolder = fileURLToPath(new URL('../node_modules/vega-datasets/data/', import.meta.url));

export const flightsFile = join(dataFolder, 'flights-3m.parquet');
export const airportsFile = join(dataFolder, 'airports.csv');

/** A folder for what a subject writes, removed by its second part. */
export function workFolder(): { path(name: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'stele-bench-'));
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Peer {
  /** Runs a statement to its end and answers its number of rows. */
  run(sql: string): Promise<number>;
  close(): void;
}

export async function nativePeer(): Promise<Peer> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  return {
    run: async (sql) => (await connection.runAndReadAll(sql)).getRows().length,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** It fetches its Parquet reader over the network, so the files that it reads are CSV. */
export async function wasmPeer(files: Record<string, string>): Promise<Peer> {
  const duckdb = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs') as typeof DuckDBWasm;
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@duckdb/duckdb-wasm')));
  const bundle = (kind: string) => ({
    mainModule: join(folder, `duckdb-${kind}.wasm`),
    mainWorker: join(folder, `duckdb-node-${kind}.worker.cjs`),
  });
  const database = await duckdb.createDuckDB(
    { mvp: bundle('mvp'), eh: bundle('eh') },
    new duckdb.VoidLogger(),
    duckdb.NODE_RUNTIME,
  );
  await database.instantiate(() => {});
  database.open({});
  for (const [name, path] of Object.entries(files)) database.registerFileBuffer(name, readFileSync(path));
  const connection = database.connect();
  return {
    run: async (sql) => connection.query(sql).toArray().length,
    close: () => {
      connection.close();
      database.reset();
    },
  };
}

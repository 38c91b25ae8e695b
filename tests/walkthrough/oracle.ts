/** What DuckDB's own Node package says of the same files: an independent second opinion on every figure. */
import { DuckDBInstance } from '@duckdb/node-api';
import { dataFolder } from './data_server.ts';

export interface Oracle {
  /** The rows of a query, cells as strings or null; `data/NAME` stands for a file of vega-datasets. */
  rows(sql: string): Promise<(string | null)[][]>;
  close(): void;
}

export async function openOracle(): Promise<Oracle> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  return {
    async rows(sql) {
      const reader = await connection.runAndReadAll(sql.replaceAll('data/', dataFolder));
      return reader.getRowsJson().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** As far as the bench uses it. */
declare module 'sql.js' {
  namespace initSqlJs {
    interface Statement {
      run(values: (string | number | null)[]): void;
      free(): void;
    }
    interface Database {
      run(sql: string, values?: (string | number | null)[]): void;
      exec(sql: string): { columns: string[]; values: unknown[][] }[];
      prepare(sql: string): Statement;
      export(): Uint8Array<ArrayBuffer>;
    }
  }
  function initSqlJs(options: { locateFile(name: string): string }): Promise<{
    Database: new () => initSqlJs.Database;
  }>;
  export = initSqlJs;
}

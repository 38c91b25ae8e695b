/** What can be completed at a place of a query: paths of tables, and the columns of the tables that it names. */
import { quoted } from '../../../wasm/quoted.ts';

export interface KnownTables {
  paths(): Promise<string[]>;
  /** Empty for a path that is not there. */
  columns(path: string): Promise<string[]>;
}

export interface Suggestion {
  label: string;
  apply: string;
  kind: 'table' | 'column';
  detail?: string;
}

export interface Suggested {
  /** Where what is completed begins, and where it ends: behind the quote that the editor closed of its own. */
  from: number;
  to: number;
  suggestions: Suggestion[];
}

/** The paths that a query names, in the order of their names' first use. */
export function namedTables(sql: string, known: string[]): string[] {
  const names = new Set(
    [...sql.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name]) => name!.replaceAll('""', '"').replace(/@\d+$/, '')),
  );
  return known.filter((path) => names.has(path));
}

/** The words of a SELECT, as far as it is worth completing them. */
export const sqlWords =
  'SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET QUALIFY WINDOW WITH RECURSIVE DISTINCT ALL AS ON USING JOIN LEFT RIGHT FULL INNER CROSS ASOF SEMI ANTI UNION INTERSECT EXCEPT EXCLUDE REPLACE CASE WHEN THEN ELSE END AND OR NOT IN IS NULL TRUE FALSE LIKE ILIKE BETWEEN EXISTS ASC DESC NULLS FIRST LAST FILTER OVER PARTITION ROWS RANGE PRECEDING FOLLOWING UNBOUNDED CURRENT ROW CAST INTERVAL DATE TIMESTAMP PIVOT UNPIVOT VALUES UNNEST TABLESAMPLE'.split(
    ' ',
  );

const plainName = /^[a-z_][a-z0-9_]*$/;

export async function suggest(sql: string, at: number, tables: KnownTables): Promise<Suggested | undefined> {
  const before = sql.slice(0, at);
  const open = /"((?:[^"]|"")*)$/.exec(oddQuote(before) ?? '');
  const word = /[\p{L}_][\p{L}\p{N}_/]*$/u.exec(before);
  if (!open && !word) return undefined;
  const from = open ? at - open[0].length : at - word![0].length;
  // A quote that was opened and closed already is replaced with what it holds.
  const paths = await tables.paths();
  const suggestions: Suggestion[] = [];
  for (const table of namedTables(sql, paths))
    for (const column of await tables.columns(table))
      suggestions.push({
        label: column,
        apply: plainName.test(column) && !open ? column : quoted(column),
        kind: 'column',
        detail: table,
      });
  for (const path of paths) suggestions.push({ label: path, apply: quoted(path), kind: 'table' });
  const isClosed = open !== null && sql[at] === '"' && sql[at + 1] !== '"';
  return { from, to: isClosed ? at + 1 : at, suggestions };
}

/** The text from the quote on that is still open, if one is. */
function oddQuote(text: string): string | undefined {
  const quotes = text.split('"').length - 1;
  return quotes % 2 === 1 ? text.slice(text.lastIndexOf('"')) : undefined;
}

/** Distributions in time, which the profile of a column of moments does not hold: counts of its values per slice. */
import type { Described, DescribedColumn, QueryAnswer } from './answers.ts';
import { quoted } from './quoted.ts';

const slices = 20;
const columnsMax = 8;

/** The profile with a histogram for each column of moments. Without them if the engine cannot tell, as of infinite ones. */
export async function withTimelines(
  described: Described,
  ask: (sql: string) => Promise<QueryAnswer>,
): Promise<Described> {
  const columns = described.columns.filter(isTimed).slice(0, columnsMax);
  if (columns.length === 0) return described;
  const table = quoted(`${described.table}@${described.version}`);
  try {
    const { rows } = await ask(columns.map(({ name }, i) => countsSql(table, quoted(name), i)).join('\nUNION ALL\n'));
    const histograms = columns.map((): [unknown, number][] => Array.from({ length: slices }, (_, slice) => [slice, 0]));
    for (const [i, slice, count] of rows as [number, number, number][]) histograms[i]![slice]![1] = Number(count);
    const timed = new Map(columns.map((column, i) => [column, { ...column, histogram: histograms[i]! }]));
    return { ...described, columns: described.columns.map((column) => timed.get(column) ?? column) };
  } catch {
    return described;
  }
}

function isTimed({ class: of, histogram, min, max }: DescribedColumn): boolean {
  return of === 'temporal' && !histogram && min !== undefined && JSON.stringify(min) !== JSON.stringify(max);
}

function countsSql(table: string, column: string, index: number): string {
  return `SELECT ${index} AS i, least(${slices - 1}, floor(${slices} * (epoch(${column}) - lo) / (hi - lo)))::INT AS slice,
  count(*) AS n
FROM ${table}, (SELECT epoch(min(${column})) AS lo, epoch(max(${column})) AS hi FROM ${table})
WHERE ${column} IS NOT NULL GROUP BY ALL`;
}

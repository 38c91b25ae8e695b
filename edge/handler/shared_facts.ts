/** What is told of a shared table and how its values spread. Of its latest version alone. */
import type { Described, DescribedColumn, QueryAnswer } from '../../wasm/answers.ts';
import type { AskTool, FactsColumn, TableFacts } from '../../wasm/table_facts.ts';
import { withTimelines } from '../../wasm/timeline.ts';

/** The facts with each column's profile, as describe_table answers it. */
export interface AboutShared extends TableFacts {
  columns: (FactsColumn & Partial<DescribedColumn>)[];
}

/** Looks at all rows, so that a home keeps the answer for as long as the version is the latest. */
export async function askProfile(ask: AskTool, facts: TableFacts): Promise<AboutShared> {
  const { table, version } = facts;
  const described = await ask<Described>('describe_table', { table, version, detail: 'full' });
  const { columns } = await withTimelines(described, (sql) => ask<QueryAnswer>('query', { sql, limit: 500 }));
  const profiles = new Map(columns.map((column) => [column.name, column]));
  return { ...facts, columns: facts.columns.map((column) => ({ ...profiles.get(column.name), ...column })) };
}

/** SharedFacts: what is told of a shared table beside its rows. Of its latest version alone; nobody's name is in it. */
import type { Described, DescribedColumn, QueryAnswer, VersionShown } from '../../wasm/answers.ts';
import { withTimelines } from '../../wasm/timeline.ts';
import type { ViewColumn } from '../../wasm/views.ts';

export interface FactsColumn extends ViewColumn {
  /** What it means, if someone wrote it down. */
  description?: string;
}

export interface SharedFacts {
  table: string;
  version: number;
  description: string;
  rows: number;
  bytes: number;
  changed_at: string;
  columns: FactsColumn[];
}

/** The facts with each column's profile, as describe_table answers it. */
export interface AboutShared extends SharedFacts {
  columns: (FactsColumn & Partial<DescribedColumn>)[];
}

/** Asks a tool as the page does. Throws what the core refuses. */
export type AskTool = <T>(tool: string, args: object) => Promise<T>;

type DescribedWithChanges = Described & { latest_changes: VersionShown[] };

/** From the core, where the home has no quicker way. */
export async function askFacts(ask: AskTool, table: string, version: number): Promise<SharedFacts> {
  const described = await ask<DescribedWithChanges>('describe_table', { table, version });
  const { description = '', rows, bytes, columns, latest_changes: changes } = described;
  return {
    ...{ table, version, description, rows, bytes, changed_at: changes[0]?.made_at ?? '' },
    columns: columns.map(({ name, type, description: meaning }) => ({
      ...{ name, type },
      ...(meaning ? { description: meaning } : {}),
    })),
  };
}

/** Looks at all rows, so that a home keeps the answer for as long as the version is the latest. */
export async function askProfile(ask: AskTool, facts: SharedFacts): Promise<AboutShared> {
  const { table, version } = facts;
  const described = await ask<Described>('describe_table', { table, version, detail: 'full' });
  const { columns } = await withTimelines(described, (sql) => ask<QueryAnswer>('query', { sql, limit: 500 }));
  const profiles = new Map(columns.map((column) => [column.name, column]));
  return { ...facts, columns: facts.columns.map((column) => ({ ...profiles.get(column.name), ...column })) };
}

/** TableFacts: what is told of a table, at one version, beside its rows. Nobody's name is in it. */
import type { Described, VersionShown } from './answers.ts';
import type { ViewColumn } from './views.ts';

export interface FactsColumn extends ViewColumn {
  /** What it means, if someone wrote it down. */
  description?: string;
}

export interface TableFacts {
  table: string;
  version: number;
  description: string;
  rows: number;
  bytes: number;
  /** When the version was made; empty of one so old that it is not among the latest changes. */
  changed_at: string;
  columns: FactsColumn[];
}

/** Asks a tool, and throws what the core refuses. */
export type AskTool = <T>(tool: string, args: object) => Promise<T>;

type DescribedWithChanges = Described & { latest_changes: VersionShown[] };

/** From the core, where a home has no quicker way. */
export async function askFacts(ask: AskTool, table: string, version: number): Promise<TableFacts> {
  const described = await ask<DescribedWithChanges>('describe_table', { table, version });
  const { description = '', rows, bytes, columns, latest_changes: changes } = described;
  const made = changes.find((change) => change.version === version);
  return {
    ...{ table, version, description, rows, bytes, changed_at: made?.made_at ?? '' },
    columns: columns.map(({ name, type, description: meaning }) => ({
      ...{ name, type },
      ...(meaning ? { description: meaning } : {}),
    })),
  };
}

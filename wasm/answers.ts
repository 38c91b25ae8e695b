/** Shapes of the tools' answers that homes' pages show. The core is trusted: nothing is checked here. */
import type { ViewColumn } from './views.ts';

export interface ListedTable {
  path: string;
  description?: string;
  rows: number;
  columns: number;
  version: number;
  bytes: number;
  changed_at: string;
  changed_by: string;
  message?: string;
}

export interface DescribedColumn extends ViewColumn {
  class: string;
  nulls?: number;
  distinct?: number;
  description?: string;
  min?: unknown;
  max?: unknown;
  mean?: unknown;
  top?: [unknown, number][];
  histogram?: [unknown, number][];
}

export interface Described {
  table: string;
  version: number;
  description?: string;
  rows: number;
  bytes: number;
  columns: DescribedColumn[];
}

export interface VersionShown {
  version: number;
  kind: string;
  tool: string;
  rows: number;
  added: number;
  updated: number;
  removed: number;
  columns_added?: string[];
  columns_removed?: string[];
  columns_retyped?: unknown[];
  made_at: string;
  made_by: string;
  message?: string;
  run?: string;
}

export interface Warning {
  column?: string;
  kind?: string;
  message: string;
}

export interface Written {
  table: string;
  version: number;
  rows: number;
  added: number;
  updated: number;
  removed: number;
  warnings: Warning[];
}

export interface QueryAnswer {
  notice?: string;
  /** What the answer leaves out of rows, values and columns. */
  cut?: { rows?: 'limit' | 'size'; cells?: number; columns_left_out?: number };
  columns: ViewColumn[];
  rows: unknown[][];
  row_count: number;
  truncated: boolean;
  reads: { table: string; version: number }[];
  receipt?: { id: string; url?: string; digest: string; signed_by?: string; note?: string };
}

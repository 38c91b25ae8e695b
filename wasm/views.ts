/**
 * What a home's own pages ask of the core beside the agents' tools: shapes of the views' arguments and answers, for
 * `CoreApi.view`. The core checks arguments and says what is wrong with them; nothing is checked here.
 */
import type { Json } from './instance.ts';

export type ViewName =
  'read_rows' | 'diff_versions' | 'run_again' | 'list_receipts' | 'list_shares' | 'list_trash' | 'workspace';

export interface ViewColumn {
  name: string;
  /** DuckDB's spelling, e.g. DECIMAL(10,2). */
  type: string;
}

/** A row's cells by column, as `query` answers them: whole numbers past 2^53, decimals and NaN are text. */
export type Cells = Json[];

/** No `value` with is_null and is_not_null. contains and starts_with look at the value as text, whatever the case. */
export type RowFilter = {
  column: string;
  op: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'starts_with' | 'is_null' | 'is_not_null';
  value?: string | number | boolean;
};

export type ReadRowsArguments = {
  table: string;
  /** The latest if left out. */
  version?: number;
  /** All, in the table's order, if left out. */
  columns?: string[];
  /** A row is answered if it passes all of them. */
  filters?: RowFilter[];
  /** Only rows in which some column holds this text, whatever the case. */
  search?: string;
  order_by?: { column: string; descending?: boolean }[];
  offset?: number;
  /** 0 to 10,000; 100 if left out. 0 answers the columns and the count. */
  limit?: number;
};

export interface RowsAnswer {
  table: string;
  version: number;
  columns: ViewColumn[];
  rows: Cells[];
  /** Of all rows that pass filters and search, before offset and limit. */
  total_rows: number;
  /** Fewer rows than asked for, since more would be too many bytes: ask again from offset + rows.length. */
  truncated: boolean;
}

export type DiffVersionsArguments = {
  table: string;
  from: number;
  to: number;
  /** What says that two rows are one: their changed cells are told. Those of the table's last upsert if left out. */
  key_columns?: string[];
  offset?: number;
  limit?: number;
};

export interface RowChange {
  change: 'added' | 'removed' | 'changed';
  /** By columns_shown; null where a version has no such column. */
  before?: Cells;
  after?: Cells;
}

export interface DiffAnswer {
  table: string;
  from: number;
  to: number;
  columns: {
    added: ViewColumn[];
    removed: ViewColumn[];
    retyped: { name: string; from: string; to: string }[];
    renamed: { from: string; to: string }[];
  };
  /** The key by which rows were matched; empty if by being the very same row. */
  key_columns: string[];
  counts: { added: number; removed: number; changed: number };
  columns_shown: ViewColumn[];
  rows: RowChange[];
  truncated: boolean;
}

/** Answers what `query` does, without `reads`: they are the ones given. */
export type RunAgainArguments = {
  sql: string;
  /** What the query read: the table's path then as `name`, the version's digest, the table's path now. */
  reads: { name: string; version: number; digest: string; path: string }[];
  limit?: number;
};

export interface ListedReceipt {
  id: string;
  created_at: string;
  author: string;
  message: string;
  sql: string;
  row_count: number;
  tables: { path: string; version: number }[];
}

export interface ReceiptsAnswer {
  /** Newest first. */
  receipts: ListedReceipt[];
  total: number;
}

/** Receipts at an edge, where whoever has the link of one opens it. */
export interface PublicReceiptsAnswer extends ReceiptsAnswer {
  /** `in_link`: its link carries it whole, so that withdrawing it does not reach the links that were given away. */
  receipts: (ListedReceipt & { in_link: boolean })[];
}

export interface SharesAnswer {
  /** `since` is null of a share made before its time was kept. */
  shares: { path: string; token: string; since: string | null; version: number }[];
}

export interface TrashAnswer {
  /** Last deleted first; restore_version by path and version brings one back. */
  tables: { path: string; version: number; rows: number; bytes: number; trashed_at: string }[];
}

export interface WorkspaceAnswer {
  tables: number;
  trashed: number;
  versions: number;
  /** Of the latest versions of tables outside the trash. */
  rows: number;
  /** Stored, all versions and the trash included. */
  bytes: number;
  receipts: number;
  shares: number;
}

/**
 * Tables: what the app asks of the core. A refusal becomes an exception with the core's words; the
 * core is trusted, so answers are not parsed again.
 */
import type { Answer, CallOptions, Caller, CoreApi } from '../../../wasm/core.ts';
import type { Described, ListedTable, VersionShown, Written } from '../../../wasm/answers.ts';
import type { JsonObject } from '../../../wasm/instance.ts';
import type {
  DiffAnswer,
  DiffVersionsArguments,
  ReadRowsArguments,
  ReceiptsAnswer,
  RowsAnswer,
  SharesAnswer,
  TrashAnswer,
  ViewName,
  WorkspaceAnswer,
} from '../../../wasm/views.ts';
import { withTimelines } from '../../../wasm/timeline.ts';
import { ownerName } from './words.ts';

export class Refused extends Error {
  readonly kind: string;
  readonly hint: string;

  constructor(answer: { error?: unknown; message?: unknown; hint?: unknown }) {
    const kind = String(answer.error ?? 'internal');
    const { message, hint } = personsWords[kind] ?? answer;
    super(String(message ?? 'This did not work.'));
    this.name = 'Refused';
    this.kind = kind;
    this.hint = forAgents.test(String(hint)) ? '' : String(hint ?? '');
  }
}

/** Where the core speaks to an agent of a home somewhere, and this is a person at the device. */
const personsWords: Record<string, { message: string; hint: string }> = {
  storage_full: {
    message: 'There is no room left. Nothing was changed.',
    hint: 'Free space on this device, or under Storage let go of what a backup replaced; then do it again.',
  },
};

/** A hint that names the tool to call next; the page leads there by itself. */
const forAgents = /^(list_tables|table_history|describe_table)\b/;

/** As many as the core answers at once. */
const rowsPerPage = 10_000;

/** The person at this screen. */
export function ownerCaller(origin: string): Caller {
  return { author: ownerName, read: true, write: true, share: true, origin };
}

export class Tables {
  readonly core: CoreApi;
  readonly caller: Caller;

  constructor(core: CoreApi, origin: string) {
    this.core = core;
    this.caller = ownerCaller(origin);
  }

  list(
    args: { path?: string; search?: string },
    options?: CallOptions,
  ): Promise<{ tables: ListedTable[]; total: number }> {
    return this.tool('list_tables', { ...args, limit: 500 }, options);
  }

  async describe(table: string, version: number | undefined, options?: CallOptions): Promise<Described> {
    const wanted = { table, detail: 'full', ...(version ? { version } : {}) };
    const described = await this.tool<Described>('describe_table', wanted, options);
    return withTimelines(described, (sql) => this.tool('query', { sql, limit: 500 }, options));
  }

  history(
    table: string,
    options?: CallOptions,
  ): Promise<{ latest: number; versions: VersionShown[]; notice?: string }> {
    return this.tool('table_history', { table, limit: 100 }, options);
  }

  rows(wanted: ReadRowsArguments, options?: CallOptions): Promise<RowsAnswer> {
    return this.#view('read_rows', wanted, options);
  }

  /** All rows of a version that pass, page by page. */
  async *pages(
    wanted: ReadRowsArguments & { version: number },
    { signal, onProgress }: CallOptions,
  ): AsyncGenerator<RowsAnswer> {
    for (let offset = 0; ;) {
      const page = await this.rows({ ...wanted, offset, limit: rowsPerPage }, signal ? { signal } : {});
      yield page;
      offset += page.rows.length;
      onProgress?.({ done: offset, total: page.total_rows, what: 'Writing the file' });
      if (page.rows.length === 0 || offset >= page.total_rows) return;
    }
  }

  diff(wanted: DiffVersionsArguments, options?: CallOptions): Promise<DiffAnswer> {
    return this.#view('diff_versions', wanted, options);
  }

  receipts(limit: number, options?: CallOptions): Promise<ReceiptsAnswer> {
    return this.#view('list_receipts', { limit }, options);
  }

  shares(options?: CallOptions): Promise<SharesAnswer> {
    return this.#view('list_shares', {}, options);
  }

  trash(options?: CallOptions): Promise<TrashAnswer> {
    return this.#view('list_trash', {}, options);
  }

  counts(options?: CallOptions): Promise<WorkspaceAnswer> {
    return this.#view('workspace', {}, options);
  }

  restore(table: string, version: number, message?: string): Promise<Written> {
    return this.tool('restore_version', { table, version, ...(message ? { message } : {}) });
  }

  /** Takes back what was just written; refused if another version came after it. Answers what became of the table. */
  async undoWrite({ table, version }: Written, why: string): Promise<string> {
    if (version > 1) {
      await this.tool('restore_version', {
        table,
        version: version - 1,
        expected_version: version,
        message: why,
      });
      return `${table} is as it was before.`;
    }
    const { latest } = await this.history(table);
    if (latest > 1) throw new Refused({ message: `${table} has changed since: it is at version ${latest}.` });
    await this.tool('delete_table', { table });
    return `${table} is in the trash.`;
  }

  async tool<T>(name: string, args: JsonObject, options?: CallOptions): Promise<T> {
    return accepted<T>(await this.core.call(name, args, this.caller, options));
  }

  async #view<T>(name: ViewName, args: object, options?: CallOptions): Promise<T> {
    return accepted<T>(await this.core.view(name, args as JsonObject, this.caller, options));
  }
}

function accepted<T>({ value, isError }: Answer): T {
  if (isError) throw new Refused(value);
  return value as T;
}

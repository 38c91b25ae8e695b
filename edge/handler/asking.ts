/** Asking the core on behalf of a page: its answer, or a PageError that says what status a refusal of it has. */
import type { Caller, CoreApi } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { ReadRowsArguments, RowsAnswer } from '../../wasm/views.ts';

/** A refusal of the core on the way to a page. */
export class PageError extends Error {
  readonly status: number;
  readonly kind: string;
  readonly hint: string;

  constructor({ error, message, hint }: JsonObject) {
    super(String(message));
    this.kind = String(error);
    this.status = statusOf(this.kind);
    this.hint = String(hint);
  }
}

function statusOf(error: string): number {
  if (error === 'unknown_table' || error === 'unknown_version') return 404;
  if (['busy', 'memory_limit', 'out_of_memory', 'time_limit'].includes(error)) return 503;
  return error === 'internal' || error.startsWith('storage_') ? 500 : 400;
}

/** Reads and nothing else. Throws PageError. */
export class Asking {
  #core: CoreApi;
  #reader: Caller;

  constructor(core: CoreApi, base: string) {
    this.#core = core;
    this.#reader = { author: 'page', read: true, write: false, share: false, origin: base };
  }

  async tool<T>(tool: string, args: object, signal: AbortSignal): Promise<T> {
    const { value, isError } = await this.#core.call(tool, args as JsonObject, this.#reader, { signal });
    if (isError) throw new PageError(value);
    return value as T;
  }

  async rows(asked: ReadRowsArguments, signal: AbortSignal): Promise<RowsAnswer> {
    const { value, isError } = await this.#core.view('read_rows', { ...asked } as JsonObject, this.#reader, { signal });
    if (isError) throw new PageError(value);
    return value as unknown as RowsAnswer;
  }
}

/** Activity: every call of an agent as it happens and how it ended, for the person to look at. It keeps the newest in memory. */
import type { Answer } from '../../wasm/core.ts';
import type { Progress } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { Party } from './party.ts';
import { undoOf, type Undo } from './undo.ts';

export interface Entry {
  id: number;
  party: Party;
  client: string;
  tool: string;
  args: JsonObject;
  /** Milliseconds since 1970. */
  startedAt: number;
  state: 'waiting' | 'running' | 'done' | 'failed';
  progress: Progress | undefined;
  /** Milliseconds, once it has ended. */
  tookMs: number | undefined;
  outcome: Outcome | undefined;
  undo: Undo | undefined;
  undone: 'no' | 'running' | 'done';
}

/** What an answer says that a person wants to know at a glance. */
export interface Outcome {
  rows: number | undefined;
  table: string | undefined;
  version: number | undefined;
  link: string | undefined;
  error: { kind: string; message: string } | undefined;
}

const entriesMax = 500;

export class Activity extends EventTarget {
  /** The newest first. */
  entries: readonly Entry[] = [];
  #lastId = 0;

  begin(party: Party, client: string, tool: string, args: JsonObject): Entry {
    const entry: Entry = {
      id: ++this.#lastId,
      party,
      client,
      tool,
      args,
      startedAt: Date.now(),
      state: 'running',
      progress: undefined,
      tookMs: undefined,
      outcome: undefined,
      undo: undefined,
      undone: 'no',
    };
    this.entries = [entry, ...this.entries].slice(0, entriesMax);
    this.#changed();
    return entry;
  }

  /** The call waits for the person, or goes on. */
  set(entry: Entry, changes: Partial<Pick<Entry, 'state' | 'progress' | 'undone'>>): void {
    Object.assign(entry, changes);
    this.#changed();
  }

  end(entry: Entry, { value, isError }: Answer): void {
    entry.state = isError ? 'failed' : 'done';
    entry.progress = undefined;
    entry.tookMs = Date.now() - entry.startedAt;
    entry.outcome = outcomeOf(value, isError);
    entry.undo = isError ? undefined : undoOf(entry.tool, entry.args, value);
    // Rows that were written are the table's now; the feed needs no second copy of them.
    entry.args = withoutRows(entry.args);
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

export function outcomeOf(value: JsonObject, isError: boolean): Outcome {
  const { rows, row_count: rowCount, tables, versions, version, table, url, receipt, message } = value;
  const counted = [rowCount, rows, tables, versions].find((one) => typeof one === 'number' || Array.isArray(one));
  const linked = url ?? (receipt as JsonObject | undefined)?.url;
  return {
    rows: typeof counted === 'number' ? counted : Array.isArray(counted) ? counted.length : undefined,
    table: typeof table === 'string' ? table : undefined,
    version: typeof version === 'number' ? version : undefined,
    link: typeof linked === 'string' ? linked : undefined,
    error: isError ? { kind: String(value.error), message: String(message ?? value.error) } : undefined,
  };
}

/** Arguments as one short line, whose longest parts are cut. */
export function argsInShort(args: JsonObject): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${inShort(value)}`)
    .join(', ');
}

const charactersMax = 120;

function inShort(value: unknown): string {
  if (Array.isArray(value) && value.length > 3) return `${value.length} items`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

function withoutRows(args: JsonObject): JsonObject {
  if (!Array.isArray(args.rows)) return args;
  return { ...args, rows: `${args.rows.length} rows` };
}

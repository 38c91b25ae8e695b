/**
 * BudgetedCore: a workspace's core whose engine lives within the isolate's budget. It starts with a call, stays while there
 * is room, and comes again from the store when it was dropped.
 */
import {
  type Answer,
  type Caller,
  type CallOptions,
  Core,
  type CoreApi,
  type CoreOptions,
  failed,
} from '../../wasm/core.ts';
import type { ToolList } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { type BudgetedEngine, type EngineBudget, NoRoom } from './engine_budget.ts';

const pageBytes = 65536;

export class BudgetedCore implements CoreApi, BudgetedEngine {
  #core: Core;
  #budget: EngineBudget;
  #durable: () => Promise<void>;
  #log: (line: string) => void;
  #refusedGrowth = false;

  /** `durable` resolves when all that was committed is on disk. */
  constructor(options: Omit<CoreOptions, 'makeMemory'>, budget: EngineBudget, durable: () => Promise<void>) {
    this.#budget = budget;
    this.#durable = durable;
    this.#log = options.host.log;
    this.#core = new Core({ ...options, makeMemory: (descriptor) => this.#boundedMemory(descriptor) });
  }

  heapBytes(): number {
    return this.#core.memoryBytes();
  }

  drop(): void {
    this.#core.drop();
  }

  call(tool: string, args: JsonObject, caller: Caller, options?: CallOptions): Promise<Answer> {
    return this.#answered(() => this.#core.call(tool, args, caller, options));
  }

  view(name: string, args: JsonObject, caller: Caller, options?: CallOptions): Promise<Answer> {
    return this.#answered(() => this.#core.view(name, args, caller, options));
  }

  tools(): Promise<ToolList> {
    return this.#within(() => this.#core.tools());
  }

  receipt(id: string): Promise<JsonObject | null> {
    return this.#within(() => this.#core.receipt(id));
  }

  shared(token: string): Promise<{ table: string; version: number } | null> {
    return this.#within(() => this.#core.shared(token));
  }

  makePrivate(table: string): Promise<void> {
    return this.#within(() => this.#core.makePrivate(table));
  }

  async #answered(work: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await this.#within(work);
      return answer.value.error === 'out_of_memory' && this.#refusedGrowth ? noMoreMemory() : answer;
    } catch (error) {
      if (error instanceof NoRoom) return noRoom();
      this.#log(JSON.stringify({ event: 'call_failed', ...whatFailed(error) }));
      return unconfirmed();
    }
  }

  async #within<T>(work: () => Promise<T>): Promise<T> {
    await this.#budget.enter(this);
    try {
      return await work().finally(this.#durable);
    } finally {
      this.#budget.leave(this);
    }
  }

  /** A memory that asks the budget before it grows; refused, the module's allocation fails as on a full machine. */
  #boundedMemory(descriptor: WebAssembly.MemoryDescriptor): WebAssembly.Memory {
    this.#refusedGrowth = false;
    const memory = new WebAssembly.Memory(descriptor);
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (!this.#budget.mayGrow(this, pages * pageBytes)) {
        this.#refusedGrowth = true;
        throw new RangeError('the budget of all engines is used up');
      }
      return grow(pages);
    };
    return memory;
  }
}

function noRoom(): Answer {
  return failed(
    'memory_limit',
    'Other workspaces use the memory of this server now, and none became free in time.',
    'Call again in a minute. Nothing was done.',
  );
}

/** An error's kind and where in the code it came from. Not its message, which may quote a value. */
function whatFailed(error: unknown): { kind: string; at: string } {
  if (!(error instanceof Error)) return { kind: typeof error, at: '' };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    kind: error.name,
    at: frames
      .map((line) => line.trim().slice(3))
      .slice(0, 8)
      .join(' < '),
  };
}

/** The call may be done and may be lost: this server could not make sure. */
function unconfirmed(): Answer {
  return failed(
    'internal',
    'The call was worked on, but this server could not confirm that it is kept.',
    'Call again; after a write, look at table_history before repeating it.',
  );
}

function noMoreMemory(): Answer {
  return failed(
    'memory_limit',
    'The call needs more memory than this server has free. What had been committed is whole.',
    'Work on less at a time: filter or aggregate earlier, or name fewer columns; or call again when less is going on. After a write, look at table_history before repeating it.',
  );
}

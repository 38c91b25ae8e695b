/**
 * EngineBudget: the memory that all live engines of one isolate share. It lets an engine start or grow while all fit,
 * takes the memory of idle ones back, least recently used first, and makes the others wait in line. It starts nothing itself.
 */

/** A workspace's engine, as the budget sees it. */
export interface BudgetedEngine {
  /** Bytes of its memory, 0 while it is not live. */
  heapBytes(): number;
  /** Gives its memory back. Called only while the engine is idle. */
  drop(): void;
}

/** There is no room, and none came in time. */
export class NoRoom extends Error {}

export interface BudgetOptions {
  bytesMax: number;
  /** What an engine takes at its start. */
  startBytes: number;
  waitMsMax: number;
  /** How long an engine may go from call to call while others wait for its memory. */
  turnMsMax: number;
}

interface Busy {
  calls: number;
  since: number;
}

interface Waiting {
  engine: BudgetedEngine;
  admit(): void;
}

export class EngineBudget {
  #options: BudgetOptions;
  #busy = new Map<BudgetedEngine, Busy>();
  /** Live and idle, least recently used first. */
  #idle = new Set<BudgetedEngine>();
  #waiting: Waiting[] = [];
  #peakBytes = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Resolves when the engine may work; leave() must follow. Throws NoRoom. */
  async enter(engine: BudgetedEngine): Promise<void> {
    if (this.#mayEnter(engine)) return this.#admit(engine);
    await this.#wait(engine);
  }

  leave(engine: BudgetedEngine): void {
    const busy = this.#busy.get(engine);
    if (!busy) throw new Error('an engine left that had not entered');
    busy.calls -= 1;
    this.#notePeak();
    if (busy.calls > 0) return;
    this.#busy.delete(engine);
    if (engine.heapBytes() > 0) this.#idle.add(engine);
    this.#admitWaiting();
  }

  /** Whether a live engine may take this much more; idle ones give way. */
  mayGrow(engine: BudgetedEngine, bytes: number): boolean {
    const may = this.#makeRoom(bytes, engine);
    this.#peakBytes = Math.max(this.#peakBytes, this.usedBytes() + (may ? bytes : 0));
    return may;
  }

  usedBytes(): number {
    let used = 0;
    for (const engine of this.#busy.keys()) used += Math.max(engine.heapBytes(), this.#options.startBytes);
    for (const engine of this.#idle) used += engine.heapBytes();
    return used;
  }

  /** What health tells: bytes now and at most so far, engines that are live, calls in line. */
  state(): { used_bytes: number; peak_bytes: number; bytes_max: number; engines: number; waiting: number } {
    return {
      used_bytes: this.usedBytes(),
      peak_bytes: this.#peakBytes,
      bytes_max: this.#options.bytesMax,
      engines: this.#busy.size + this.#idle.size,
      waiting: this.#waiting.length,
    };
  }

  #mayEnter(engine: BudgetedEngine): boolean {
    const busy = this.#busy.get(engine);
    // Calls that overlap without end would keep an engine's memory from the others for good.
    if (busy) return this.#waiting.length === 0 || Date.now() - busy.since < this.#options.turnMsMax;
    if (this.#waiting.length > 0) return false;
    return this.#idle.has(engine) || this.#makeRoom(this.#options.startBytes, engine);
  }

  #admit(engine: BudgetedEngine): void {
    this.#idle.delete(engine);
    const busy = this.#busy.get(engine) ?? { calls: 0, since: Date.now() };
    busy.calls += 1;
    this.#busy.set(engine, busy);
    this.#notePeak();
  }

  /** The timer is set and cleared here, in the place of the object that waits: in another's it would not be found. */
  async #wait(engine: BudgetedEngine): Promise<void> {
    const { promise: admitted, resolve: admit, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { engine, admit };
    this.#waiting.push(waiting);
    const timer = setTimeout(() => {
      // Let in already, and about to hear of it.
      if (!this.#waiting.includes(waiting)) return;
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      reject(new NoRoom());
    }, this.#options.waitMsMax);
    await admitted.finally(() => clearTimeout(timer));
  }

  /** In order; once one engine is let in, so is everyone who waits for the same. */
  #admitWaiting(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const { engine } = next;
      const isLive = this.#busy.has(engine) || this.#idle.has(engine);
      if (!isLive && !this.#makeRoom(this.#options.startBytes, engine)) return;
      const admitted = this.#waiting.filter((one) => one.engine === engine);
      this.#waiting = this.#waiting.filter((one) => one.engine !== engine);
      for (const waiting of admitted) {
        this.#admit(engine);
        waiting.admit();
      }
    }
  }

  #makeRoom(bytes: number, except: BudgetedEngine): boolean {
    for (const engine of this.#idle) {
      if (this.usedBytes() + bytes <= this.#options.bytesMax) return true;
      if (engine === except) continue;
      this.#idle.delete(engine);
      engine.drop();
    }
    return this.usedBytes() + bytes <= this.#options.bytesMax;
  }

  #notePeak(): void {
    this.#peakBytes = Math.max(this.#peakBytes, this.usedBytes());
  }
}

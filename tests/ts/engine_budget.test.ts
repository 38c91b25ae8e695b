/** The memory that all engines of an isolate share: who gets it, who gives it back, who waits. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type BudgetedEngine, EngineBudget, NoRoom } from '../../edge/worker/engine_budget.ts';

const options = { bytesMax: 100, startBytes: 40, waitMsMax: 50, turnMsMax: 10 };

/** Takes its memory when it is told to, as an engine does with its first call. */
class Engine implements BudgetedEngine {
  bytes = 0;
  heapBytes = (): number => this.bytes;
  drop = (): void => void (this.bytes = 0);
}

let budget: EngineBudget;
let a: Engine;
let b: Engine;
let c: Engine;
beforeEach(() => {
  budget = new EngineBudget(options);
  [a, b, c] = [new Engine(), new Engine(), new Engine()];
});

async function work(engine: Engine): Promise<void> {
  await budget.enter(engine);
  engine.bytes ||= options.startBytes;
}

async function use(engine: Engine): Promise<void> {
  await work(engine);
  budget.leave(engine);
}

const live = () => [a, b, c].map(({ bytes }) => bytes > 0);

describe('an engine that starts', () => {
  test('takes the place of the idle one that was used least recently', async () => {
    await use(a);
    await use(b);
    await use(a);
    await use(c);
    expect(live()).toEqual([true, false, true]);
    expect(budget.usedBytes()).toBe(80);
  });

  test('drops none while all fit', async () => {
    await use(a);
    await use(b);
    expect(live()).toEqual([true, true, false]);
  });

  test('waits while the others work, and is let in when one has done', async () => {
    await work(a);
    await work(b);
    const waiting = use(c);
    expect(budget.state()).toMatchObject({ waiting: 1, engines: 2 });
    budget.leave(a);
    await waiting;
    expect(live()).toEqual([false, true, true]);
  });

  test('is refused when none has done in time', async () => {
    await work(a);
    await work(b);
    await expect(budget.enter(c)).rejects.toThrow(NoRoom);
    expect(budget.state().waiting).toBe(0);
  });

  test('is not kept out for good by calls of another that overlap without end', async () => {
    await work(a);
    await work(b);
    const waiting = use(c);
    await new Promise((resolve) => setTimeout(resolve, 2 * options.turnMsMax));
    const again = work(a);
    budget.leave(a);
    await waiting;
    budget.leave(b);
    await again;
    expect(budget.usedBytes()).toBeLessThanOrEqual(options.bytesMax);
  });
});

describe('an engine that grows', () => {
  test('gets what idle ones have', async () => {
    await use(b);
    await work(a);
    expect(budget.mayGrow(a, 60)).toBe(true);
    expect(live()).toEqual([true, false, false]);
  });

  test('gets nothing that one at work has', async () => {
    await work(b);
    await work(a);
    expect(budget.mayGrow(a, 30)).toBe(false);
    expect(live()).toEqual([true, true, false]);
  });

  test('never gets more than all have together', async () => {
    await work(a);
    expect(budget.mayGrow(a, 61)).toBe(false);
    expect(budget.mayGrow(a, 60)).toBe(true);
    expect(budget.state().peak_bytes).toBe(100);
  });
});

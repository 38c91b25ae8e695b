/** Calls in turn, questions, and what happens when the module fails: the caller is told, the store is whole, the next call works. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { WatchedCore } from '../../edge/desk/watched_core.ts';
import { type Caller, Core, type CoreOptions } from '../../wasm/core.ts';
import { type Home, HomeError, type Progress, stageAll } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';
import { temporaryFolder } from './support/temporary.ts';

const module = await builtModule('scripted');
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: '' };
const silentHome: Home = { ask: () => new Promise(() => {}) };

function openCore(home: Home = silentHome, more: Partial<CoreOptions> = {}): Core {
  const store = new NodeStore(':memory:');
  onTestFinished(() => store.close());
  return new Core({ module, store, host: nodeHost, home, limits: {}, memoryBytesMax: 64 << 20, ...more });
}

const valueOf = async (answer: Promise<{ value: JsonObject }>) => (await answer).value;

describe('a call', () => {
  test('is answered', async () => {
    expect(await openCore().call('add', {}, caller)).toEqual({ value: { n: 1 }, isError: false });
  });

  test('is answered with an error for what the caller can mend', async () => {
    const refused = { error: 'refused', message: 'This is refused.', hint: 'Call another.' };
    expect(await openCore().call('refuse', {}, caller)).toEqual({ value: refused, isError: true });
    expect((await openCore().call('nothing', {}, caller)).value.error).toBe('unknown_tool');
  });

  test('reports its progress slice by slice', async () => {
    const seen: Progress[] = [];
    await openCore().call('slow', { slices: 3 }, caller, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3].map((done) => ({ done, total: 3, what: 'counting' })));
  });

  test('does not wait for a slow one that began before it', async () => {
    const core = openCore();
    let slowEnded = false;
    const slow = core.call('slow', { slices: 2000 }, caller).then(() => (slowEnded = true));
    expect(await valueOf(core.call('count', {}, caller))).toEqual({ n: 0 });
    expect(slowEnded).toBe(false);
    await slow;
  });

  test('ends soon after it is cancelled', async () => {
    const cancelling = new AbortController();
    const calling = openCore().call('slow', { slices: 1e9 }, caller, {
      signal: cancelling.signal,
      onProgress: ({ done }) => {
        if (done === 5) cancelling.abort();
      },
    });
    expect((await valueOf(calling)).error).toBe('cancelled');
  });

  test('that was cancelled before it began ends at once', async () => {
    expect(
      (await valueOf(openCore().call('slow', { slices: 1e9 }, caller, { signal: AbortSignal.abort() }))).error,
    ).toBe('cancelled');
  });

  test('with half a surrogate pair is refused and harms nothing', async () => {
    const core = openCore();
    expect((await valueOf(core.call('ask', { question: { text: '\ud800' } }, caller))).error).toBe('invalid_arguments');
    expect(await valueOf(core.call('count', {}, caller))).toEqual({ n: 0 });
  });
});

describe('a question', () => {
  const asking = (core: Core, options = {}) =>
    valueOf(core.call('ask', { question: { ask: 'sign', digest: 'ab' } }, caller, options));

  test('is answered by the home', async () => {
    expect(await asking(openCore({ ask: async (question) => ({ asked: question.ask }) }))).toEqual({ asked: 'sign' });
  });

  test('is answered with the home’s refusal', async () => {
    const refusing: Home = { ask: () => Promise.reject(new HomeError('no_key', 'There is no key.', 'Make one.')) };
    expect(await asking(openCore(refusing))).toEqual({
      error: 'no_key',
      message: 'There is no key.',
      hint: 'Make one.',
    });
  });

  test('is answered without details when the home breaks', async () => {
    const broken: Home = { ask: () => Promise.reject(new Error('secret path')) };
    const { error, message } = await asking(openCore(broken));
    expect({ error, message }).toEqual({ error: 'internal', message: 'The home failed to answer.' });
  });

  test('holds up no other call', async () => {
    const core = openCore();
    void core.call('ask', { question: { ask: 'sign', digest: '' } }, caller);
    expect(await valueOf(core.call('count', {}, caller))).toEqual({ n: 0 });
  });

  test('is given up when its call is cancelled', async () => {
    let aborted = false;
    const waiting: Home = {
      ask: (_question, _staging, { signal }) => {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise(() => {});
      },
    };
    const cancelling = new AbortController();
    const calling = asking(openCore(waiting), { signal: cancelling.signal });
    setTimeout(() => cancelling.abort(), 20);
    expect((await calling).error).toBe('cancelled');
    expect(aborted).toBe(true);
  });

  test('lets the home stage bytes and read them again', async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => i * 7);
    async function* source() {
      yield bytes.subarray(0, 1_500_001);
      yield bytes.subarray(1_500_001);
    }
    const staging: Home = {
      async ask(_question, desk) {
        const staged = await stageAll(desk, source());
        const back = await desk.read(staged, 1_499_999, 5);
        return { size: await desk.size(staged), back: [...back] };
      },
    };
    expect(await asking(openCore(staging))).toEqual({
      size: bytes.length,
      back: [...bytes.subarray(1_499_999, 1_500_004)],
    });
  });
});

describe('an instance that', () => {
  test.each([
    ['traps', 'trap', 'internal', 1],
    ['breaks an invariant', 'break_invariant', 'internal', 0],
    ['fills its memory', 'fill_memory', 'out_of_memory', 0],
    ['overflows its stack', 'overflow_stack', 'internal', 0],
  ])('%s ends its calls and is replaced, the store whole', async (_, tool, kind, count) => {
    const core = openCore();
    const bystander = core.call('slow', { slices: 1e9 }, caller);
    const failing = await core.call(tool, {}, caller);
    expect(failing.isError).toBe(true);
    expect(failing.value).toMatchObject({ error: kind, message: expect.any(String), hint: expect.any(String) });
    expect((await bystander).isError).toBe(true);
    expect(await core.call('count', {}, caller)).toEqual({ value: { n: count }, isError: false });
  });

  test('was replaced leaves the questions of its calls unanswered', async () => {
    let aborted = false;
    const waiting: Home = {
      ask: (_question, desk, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            desk.begin().catch(reject);
          });
        }),
    };
    const core = openCore(waiting);
    const asked = core.call('ask', { question: { ask: 'sign', digest: '' } }, caller);
    await core.call('slow', { slices: 2 }, caller);
    await core.call('trap', {}, caller);
    expect((await asked).value.error).toBe('internal');
    expect(aborted).toBe(true);
  });

  test('a hundred calls keep busy takes no more', async () => {
    const core = openCore();
    await core.call('count', {}, caller);
    const cancelling = new AbortController();
    const running = Array.from({ length: 100 }, () =>
      core.call('slow', { slices: 1e9 }, caller, { signal: cancelling.signal }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect((await core.call('count', {}, caller)).value.error).toBe('busy');
    cancelling.abort();
    await Promise.all(running);
    expect((await core.call('count', {}, caller)).isError).toBe(false);
  });
});

describe('the desk’s core on a thread of its own', () => {
  function openWatched(turnMsMax = 60_000, home = silentHome): WatchedCore {
    const core = new WatchedCore({
      file: join(temporaryFolder(), 'store.sqlite'),
      home,
      moduleName: 'scripted',
      turnMsMax,
      memoryBytesMax: 64 << 20,
    });
    onTestFinished(() => core.close());
    return core;
  }

  test('answers, reports, cancels and stages across the border', { timeout: 20_000 }, async () => {
    const home: Home = {
      async ask(question, desk, { onProgress }) {
        onProgress({ done: 1, total: 1, what: 'asked' });
        async function* source() {
          yield new Uint8Array([1, 2, 3]);
        }
        const staged = await stageAll(desk, source());
        return { asked: question.ask, bytes: [...(await desk.read(staged, 1, 2))] };
      },
    };
    const core = openWatched(60_000, home);
    expect((await core.tools()).instructions).toBe('Misbehave.');
    const seen: string[] = [];
    const asked = await core.call('ask', { question: { ask: 'sign', digest: '' } }, caller, {
      onProgress: ({ what }) => seen.push(what),
    });
    expect(asked.value).toEqual({ asked: 'sign', bytes: [2, 3] });
    expect(seen).toEqual(['asked']);
    const cancelling = new AbortController();
    const slow = core.call('slow', { slices: 1e9 }, caller, {
      signal: cancelling.signal,
      onProgress: () => cancelling.abort(),
    });
    expect((await slow).value.error).toBe('cancelled');
  });

  test('is killed and started again when a slice never ends', { timeout: 30_000 }, async () => {
    const core = openWatched(400);
    expect(await core.call('add', {}, caller)).toEqual({ value: { n: 1 }, isError: false });
    const [hanging, bystander] = await Promise.all([
      core.call('hang', {}, caller),
      core.call('slow', { slices: 1e9 }, caller),
    ]);
    expect([hanging.value.error, bystander.value.error]).toEqual(['time_limit', 'time_limit']);
    expect(await core.call('count', {}, caller)).toEqual({ value: { n: 1 }, isError: false });
  });

  test('is replaced within its thread when it traps', { timeout: 20_000 }, async () => {
    const core = openWatched();
    expect((await core.call('trap', {}, caller)).value.error).toBe('internal');
    expect(await core.call('count', {}, caller)).toEqual({ value: { n: 1 }, isError: false });
  });
});

/** Bytes from outside are staged as they come, and hold up nobody. */
import { expect, test } from 'vitest';
import { stageAll } from '../../wasm/home.ts';
import { MemoryStaging } from './support/memory_staging.ts';

const mib = 1 << 20;

/** Never waits for anything. */
async function* ready(chunks: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < chunks; ++n) yield new Uint8Array(mib).fill(n);
}

test('others are heard between two chunks of a source that is always ready', async () => {
  let heard = 0;
  const listening = setInterval(() => ++heard, 0);
  const staging = new MemoryStaging();
  // As much as to take some milliseconds.
  const staged = await stageAll(staging, ready(20));
  clearInterval(listening);
  expect(staging.blobs.get(staged)!.length).toBe(20 * mib);
  expect(heard).toBeGreaterThan(0);
});

test('what a source that fails has brought is removed', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* ready(2);
    throw new Error('the network is gone');
  }
  const staging = new MemoryStaging();
  await expect(stageAll(staging, failing())).rejects.toThrow('the network is gone');
  expect(staging.blobs.size).toBe(0);
});

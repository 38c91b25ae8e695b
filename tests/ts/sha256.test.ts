/** The digest over pieces is the one over the whole. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Sha256 } from '../../wasm/sha256.ts';

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_003])(
  'of %i bytes, in pieces of any length',
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7919) & 255);
    const wanted = createHash('sha256').update(bytes).digest('hex');
    for (const piece of [1, 7, 63, 64, 65, 4096]) {
      const digest = new Sha256();
      for (let at = 0; at < length; at += piece) digest.update(bytes.subarray(at, at + piece));
      expect(digest.hex()).toBe(wanted);
    }
  },
);

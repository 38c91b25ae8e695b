/** Headers of sqlite-wasm's pool are read as the pool reads them, and every flipped bit of one is noticed. */
import { describe, expect, test } from 'vitest';
import { headerBytes, parseHeader, writeHeader } from '../../worker/pool_header.ts';

const mainDatabase = { path: '/stele.sqlite', flags: 0x102 };

function padded(header: Uint8Array): Uint8Array {
  const whole = new Uint8Array(headerBytes);
  whole.set(header);
  return whole;
}

describe('a header of the pool', () => {
  test('comes back as it was written', () => {
    const parsed = parseHeader(padded(writeHeader(mainDatabase)));
    expect(parsed).toMatchObject({ kind: 'used', path: '/stele.sqlite' });
  });

  test('that was written from a parsed one is the same to the byte', () => {
    const header = writeHeader(mainDatabase);
    const parsed = parseHeader(padded(header));
    if (parsed.kind !== 'used') throw new Error(parsed.kind);
    expect(writeHeader(parsed)).toEqual(header);
  });

  test('of zeros, or of a new file, is free', () => {
    expect(parseHeader(new Uint8Array(headerBytes))).toEqual({ kind: 'free' });
    expect(parseHeader(new Uint8Array(0))).toEqual({ kind: 'free' });
  });

  test('with any one bit flipped is damaged', () => {
    const header = padded(writeHeader(mainDatabase));
    const checked = 512 + 4 + 8;
    for (let at = 0; at < checked; ++at) {
      for (let bit = 0; bit < 8; ++bit) {
        header[at]! ^= 1 << bit;
        expect(parseHeader(header), `byte ${at}, bit ${bit}`).toEqual({ kind: 'damaged' });
        header[at]! ^= 1 << bit;
      }
    }
  });

  test('of a file that SQLite deletes when it closes it is damaged, since the pool would empty it', () => {
    expect(parseHeader(padded(writeHeader({ path: '/temporary', flags: 0x8 | 0x100 })))).toEqual({ kind: 'damaged' });
    expect(parseHeader(padded(writeHeader({ path: '/other', flags: 0x200 })))).toEqual({ kind: 'damaged' });
  });
});

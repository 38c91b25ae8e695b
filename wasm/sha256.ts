/** SHA-256 over pieces, which the browser's own digest cannot do. */

const roundConstants = new Uint32Array(64);
const initial = new Uint32Array(8);
{
  // The first 32 bits of the fractional parts of the primes' cube and square roots.
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  let found = 0;
  for (let n = 2; found < 64; ++n) {
    let isPrime = true;
    for (let d = 2; d * d <= n; ++d) if (n % d === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) initial[found] = fraction(Math.sqrt(n));
    roundConstants[found++] = fraction(Math.cbrt(n));
  }
}

const blockBytes = 64;

export class Sha256 {
  #state = initial.slice();
  #block = new Uint8Array(blockBytes);
  #filled = 0;
  #bytes = 0;
  #words = new Int32Array(64);

  update(bytes: Uint8Array): this {
    this.#bytes += bytes.length;
    let at = 0;
    if (this.#filled > 0) {
      at = Math.min(blockBytes - this.#filled, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < blockBytes) return this;
      this.#compress(this.#block, 0);
      this.#filled = 0;
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) this.#compress(bytes, at);
    this.#block.set(bytes.subarray(at));
    this.#filled = bytes.length - at;
    return this;
  }

  /** Lower-case hex; nothing may be added after it. */
  hex(): string {
    const bits = this.#bytes * 8;
    const padding = new Uint8Array(this.#filled < 56 ? blockBytes : 2 * blockBytes);
    padding.set(this.#block.subarray(0, this.#filled));
    padding[this.#filled] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits >>> 0);
    for (let at = 0; at < padding.length; at += blockBytes) this.#compress(padding, at);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #compress(bytes: Uint8Array, at: number): void {
    const words = this.#words;
    for (let i = 0; i < 16; ++i, at += 4) {
      words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    }
    for (let i = 16; i < 64; ++i) {
      const w15 = words[i - 15]!;
      const w2 = words[i - 2]!;
      const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
      const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
      words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
    }
    const state = this.#state;
    let a = state[0]! | 0;
    let b = state[1]! | 0;
    let c = state[2]! | 0;
    let d = state[3]! | 0;
    let e = state[4]! | 0;
    let f = state[5]! | 0;
    let g = state[6]! | 0;
    let h = state[7]! | 0;
    for (let i = 0; i < 64; ++i) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i]! + words[i]!) | 0;
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

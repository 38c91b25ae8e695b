/** What the core cannot know by itself, on the edge. The clock stands still within a turn there, which the core allows. */
import type { Host } from '../../wasm/instance.ts';

const randomBytesMax = 65536; // what getRandomValues gives at once

export function edgeHost(log: (line: string) => void): Host {
  return { nowMs: () => Date.now(), randomBytes: fillRandom, log };
}

/** By way of bytes of our own: the module's memory is none that getRandomValues takes. */
function fillRandom(into: Uint8Array): void {
  for (let at = 0; at < into.length; at += randomBytesMax) {
    into.set(crypto.getRandomValues(new Uint8Array(Math.min(randomBytesMax, into.length - at))), at);
  }
}

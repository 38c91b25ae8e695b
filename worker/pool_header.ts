/**
 * The header of a file in sqlite-wasm's pool: 4 KiB that say which database file it is. The pool empties a file whose header
 * fails its digest, so the home reads the headers first. These functions know bytes and touch no file.
 */

export const headerBytes = 4096;
const pathBytes = 512;
const digestAt = pathBytes + 4;

/** SQLITE_OPEN_… of what outlives a session: main database, its journal, a super-journal, its WAL. */
const persistentTypes = 0x100 | 0x800 | 0x4000 | 0x80000;
const deleteOnClose = 0x8;
/** SQLITE_OPEN_MEMORY, which the pool uses to say that the digest is set. */
const digested = 0x80;

export interface PoolEntry {
  /** The path that SQLite knows, as /stele.sqlite-wal. */
  path: string;
  flags: number;
}

export type Header =
  /** Holds a file of SQLite's. */
  | ({ kind: 'used' } & PoolEntry)
  /** Waits to be used. */
  | { kind: 'free' }
  /** What the pool would empty. */
  | { kind: 'damaged' };

export function parseHeader(header: Uint8Array): Header {
  if (header.length < digestAt + 8) return header.every((byte) => byte === 0) ? { kind: 'free' } : { kind: 'damaged' };
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const flags = view.getUint32(pathBytes);
  const [low, high] = digestOf(header.subarray(0, digestAt), flags);
  // The pool writes the digest as the machine's own integers; all machines that browsers run on are little-endian.
  if (view.getUint32(digestAt, true) !== low || view.getUint32(digestAt + 4, true) !== high) return { kind: 'damaged' };
  if (header[0] === 0) return { kind: 'free' };
  if ((flags & persistentTypes) === 0 || (flags & deleteOnClose) !== 0) return { kind: 'damaged' };
  const path = new TextDecoder().decode(header.subarray(0, header.indexOf(0)));
  return { kind: 'used', path, flags };
}

/** The first bytes of a header for this entry, as the pool writes them. */
export function writeHeader({ path, flags }: PoolEntry): Uint8Array {
  const header = new Uint8Array(digestAt + 8);
  const { written } = new TextEncoder().encodeInto(path, header.subarray(0, pathBytes - 1));
  if (written === 0) throw new Error('a file of the pool has a path');
  const view = new DataView(header.buffer);
  view.setUint32(pathBytes, flags | digested);
  const [low, high] = digestOf(header.subarray(0, digestAt), flags | digested);
  view.setUint32(digestAt, low, true);
  view.setUint32(digestAt + 4, high, true);
  return header;
}

function digestOf(corpus: Uint8Array, flags: number): [number, number] {
  if ((flags & digested) === 0) return [0, 0];
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (const byte of corpus) {
    low = Math.imul(low ^ byte, 2654435761);
    high = Math.imul(high ^ byte, 104729);
  }
  return [low >>> 0, high >>> 0];
}

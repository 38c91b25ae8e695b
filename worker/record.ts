/**
 * A small JSON document in the origin's own file system, written in turn to two files, so that a crash while writing leaves
 * the one before. It is read without locks and written by the store's holder alone.
 */
import { accessHandle } from './access_handle.ts';

interface Slot {
  n: number;
  value: unknown;
}

export class DamagedRecord extends Error {}

const slots = ['0', '1'] as const;

export class SmallRecord {
  #folder: FileSystemDirectoryHandle;
  #name: string;

  constructor(folder: FileSystemDirectoryHandle, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /** Undefined if it was never written. Throws DamagedRecord if neither slot can be read and one holds something. */
  async read(): Promise<unknown> {
    return (await this.#latest())?.value;
  }

  async write(value: unknown): Promise<void> {
    // Of a record that cannot be read, both slots are written over in time.
    const n = ((await this.#latest().catch(() => undefined))?.n ?? 0) + 1;
    const body = new TextEncoder().encode(JSON.stringify({ n, value } satisfies Slot));
    const digest = new TextEncoder().encode(await hexDigest(body));
    const file = await this.#folder.getFileHandle(this.#slotName(n), { create: true });
    const access = await accessHandle(file);
    try {
      const bytes = new Uint8Array([...digest, ...body]);
      access.truncate(0);
      if (access.write(bytes, { at: 0 }) !== bytes.length) throw new Error('the disk is full');
      access.flush();
    } finally {
      access.close();
    }
  }

  #slotName(n: number): string {
    return `${this.#name}.${slots[n % 2]}`;
  }

  async #latest(): Promise<Slot | undefined> {
    const read = await Promise.all([0, 1].map((n) => this.#readSlot(this.#slotName(n))));
    const whole = read.filter((slot) => slot !== undefined && slot !== 'damaged');
    if (whole.length === 0 && read.includes('damaged')) throw new DamagedRecord(`${this.#name} cannot be read`);
    return whole.sort((a, b) => b.n - a.n)[0];
  }

  async #readSlot(name: string): Promise<Slot | 'damaged' | undefined> {
    const handle = await this.#folder.getFileHandle(name).catch(() => undefined);
    if (!handle) return undefined;
    const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
    // An empty file is a first write that a crash cut off.
    if (bytes.length === 0) return undefined;
    const digest = new TextDecoder().decode(bytes.subarray(0, digestChars));
    const body = bytes.subarray(digestChars);
    if (digest !== (await hexDigest(body))) return 'damaged';
    return JSON.parse(new TextDecoder().decode(body)) as Slot;
  }
}

const digestChars = 64;

async function hexDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

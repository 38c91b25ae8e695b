/** Staged bytes without a core: what is staged can be looked at. */
import type { Staging } from '../../../wasm/home.ts';

export class MemoryStaging implements Staging {
  blobs = new Map<number, Buffer>();
  #last = 0;

  begin = async () => {
    this.blobs.set(++this.#last, Buffer.alloc(0));
    return this.#last;
  };
  append = async (id: number, bytes: Uint8Array) => {
    this.blobs.set(id, Buffer.concat([this.blobs.get(id)!, bytes]));
  };
  end = async () => {};
  remove = async (id: number) => void this.blobs.delete(id);
  size = async (id: number) => this.blobs.get(id)!.length;
  read = async (id: number, offset: number, length: number) => this.blobs.get(id)!.subarray(offset, offset + length);
}

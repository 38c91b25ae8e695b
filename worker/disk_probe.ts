/**
 * Tells a full disk from other I/O errors. SQLite sees the same error for both, and the browser's own estimate comes too late
 * for a synchronous commit; so a small file of its own is grown and shrunk again.
 */
import { accessHandle } from './access_handle.ts';

const growthBytes = 16 << 20;
const writtenBytes = 1 << 20;

export class DiskProbe {
  #access: FileSystemSyncAccessHandle;

  private constructor(access: FileSystemSyncAccessHandle) {
    this.#access = access;
  }

  static async open(folder: FileSystemDirectoryHandle, name: string): Promise<DiskProbe> {
    const file = await folder.getFileHandle(`probe-${name}`, { create: true });
    return new DiskProbe(await accessHandle(file));
  }

  isFull(): boolean {
    try {
      // Quota is asked for by size, the disk's own space by bytes that are written.
      this.#access.truncate(growthBytes);
      return this.#access.write(new Uint8Array(writtenBytes).fill(1), { at: 0 }) !== writtenBytes;
    } catch {
      return true;
    } finally {
      this.#access.truncate(0);
    }
  }

  close(): void {
    this.#access.close();
  }
}

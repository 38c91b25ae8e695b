/** Damage to what lies on the disk, done by a page of the origin that holds no store; a flip is undone by another. */
import type { Page } from '@playwright/test';
import { storeLock } from '../../worker/protocol.ts';

/** Flips a bit of a byte in each file of the pool that holds something; nobody may have the store open. Answers how many. */
export function flipHeaders(page: Page, offset: number): Promise<number> {
  return page.evaluate(async (offset) => {
    const root = await navigator.storage.getDirectory();
    const workspace = await (await root.getDirectoryHandle('stele')).getDirectoryHandle('default');
    const pool = await (await workspace.getDirectoryHandle('g1')).getDirectoryHandle('.opaque');
    // A tab that has just been closed may hold its files a moment longer than its lock.
    const writable = async (handle: FileSystemFileHandle) => {
      for (let tries = 100; ; --tries) {
        try {
          return await handle.createWritable({ keepExistingData: true });
        } catch (error) {
          if (tries === 0) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    let flipped = 0;
    for await (const entry of pool.values()) {
      const handle = entry as FileSystemFileHandle;
      const file = await handle.getFile();
      if (file.size <= 4096) continue;
      const byte = new Uint8Array(await file.slice(offset, offset + 1).arrayBuffer())[0]! ^ 0x10;
      const writing = await writable(handle);
      await writing.write({ type: 'write', position: offset, data: new Uint8Array([byte]) });
      await writing.close();
      ++flipped;
    }
    return flipped;
  }, offset);
}

/** Removes the record of which file is what, by which a damaged header could be mended, once nobody holds the store. */
export function removeRecord(page: Page): Promise<void> {
  return page.evaluate(
    (lock) =>
      navigator.locks.request(lock, async () => {
        const root = await navigator.storage.getDirectory();
        const workspace = await (await root.getDirectoryHandle('stele')).getDirectoryHandle('default');
        for (const slot of ['store.0', 'store.1']) await workspace.removeEntry(slot).catch(() => {});
      }),
    storeLock('default'),
  );
}

/** What dedicated workers have beside the DOM's types: synchronous access to a file of the origin's own file system. */
interface FileSystemSyncAccessHandle {
  read(into: Uint8Array, options?: { at?: number }): number;
  /** At quota it may write less, or answer a number that is no count, without throwing: compare it with what was asked. */
  write(from: Uint8Array, options?: { at?: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}

interface FileSystemDirectoryHandle {
  values(): AsyncIterableIterator<FileSystemFileHandle | FileSystemDirectoryHandle>;
}

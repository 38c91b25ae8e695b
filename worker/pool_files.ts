/**
 * The pool's files as they lie in the origin's own file system, looked at before sqlite-wasm opens them: it would empty a file
 * whose header is damaged. A header that the store's record knows is written anew; any other damage stops the opening.
 */
import { accessHandle } from './access_handle.ts';
import { headerBytes, parseHeader, type PoolEntry, writeHeader } from './pool_header.ts';

export interface PoolFile extends PoolEntry {
  /** Its name in the pool's folder. */
  name: string;
}

export interface PoolCheck {
  /** What SQLite will find. */
  used: PoolFile[];
  repaired: string[];
}

/** Files hold content under headers that cannot be read, and nothing says what they were. */
export class DamagedPool extends Error {
  readonly names: string[];

  constructor(names: string[]) {
    super(`The headers of ${names.length} of the store's files are damaged: ${names.join(', ')}.`);
    this.name = 'DamagedPool';
    this.names = names;
  }
}

const opaque = '.opaque';

interface Looked {
  handle: FileSystemFileHandle;
  size: number;
  header: ReturnType<typeof parseHeader>;
}

/** Reads every header, repairs what is known. Throws DamagedPool, having changed nothing that it cannot repair. */
export async function checkPool(pool: FileSystemDirectoryHandle, known: PoolFile[]): Promise<PoolCheck> {
  const files = await lookAt(pool);
  const damaged = files.filter(({ header, size }) => header.kind === 'damaged' && size > headerBytes);
  const knownByName = new Map(known.map((file) => [file.name, file]));
  const beyond = damaged.filter(({ handle }) => !knownByName.has(handle.name));
  if (beyond.length > 0) throw new DamagedPool(beyond.map(({ handle }) => handle.name));
  for (const { handle } of damaged) await rewriteHeader(handle, knownByName.get(handle.name)!);
  const used = files.flatMap(({ handle, header }) => {
    if (header.kind === 'used') return [{ name: handle.name, path: header.path, flags: header.flags }];
    const repaired = header.kind === 'damaged' ? knownByName.get(handle.name) : undefined;
    return repaired ? [repaired] : [];
  });
  return { used, repaired: damaged.map(({ handle }) => handle.name) };
}

/** The pool's raw files, for a person who takes them away. */
export async function rawFiles(pool: FileSystemDirectoryHandle): Promise<File[]> {
  const handles = await handlesOf(pool);
  return Promise.all(handles.map((handle) => handle.getFile()));
}

async function lookAt(pool: FileSystemDirectoryHandle): Promise<Looked[]> {
  return Promise.all(
    (await handlesOf(pool)).map(async (handle) => {
      const file = await handle.getFile();
      const head = new Uint8Array(await file.slice(0, headerBytes).arrayBuffer());
      return { handle, size: file.size, header: parseHeader(head) };
    }),
  );
}

async function handlesOf(pool: FileSystemDirectoryHandle): Promise<FileSystemFileHandle[]> {
  const folder = await pool.getDirectoryHandle(opaque).catch(() => undefined);
  if (!folder) return [];
  const handles: FileSystemFileHandle[] = [];
  for await (const handle of folder.values()) if (handle.kind === 'file') handles.push(handle as FileSystemFileHandle);
  return handles;
}

async function rewriteHeader(handle: FileSystemFileHandle, entry: PoolEntry): Promise<void> {
  const access = await accessHandle(handle);
  try {
    access.write(writeHeader(entry), { at: 0 });
    access.flush();
  } finally {
    access.close();
  }
}

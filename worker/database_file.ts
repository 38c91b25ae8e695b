/** DatabaseFile: the bytes of an open database's file as SQLite's own file system gives them. It writes nothing. */
import type { Sqlite3Static } from './sqlite.ts';

const fileControlFilePointer = 7;
const shortRead = 522;

interface FileMethods {
  read(file: number, into: number, length: number, offset: bigint): number;
  size(file: number, into: number): number;
}

export class DatabaseFile {
  #sqlite: Sqlite3Static;
  #file: number;
  #methods: FileMethods;

  constructor(sqlite: Sqlite3Static, database: number) {
    const { capi, wasm } = sqlite;
    const out = wasm.pstack.alloc(4);
    const status = capi.sqlite3_file_control(database, 'main', fileControlFilePointer, out);
    this.#file = wasm.peekPtr(out);
    wasm.pstack.restore(out + 4);
    if (status !== 0) throw new Error(`SQLite gives no access to its file (${status})`);
    this.#sqlite = sqlite;
    this.#methods = methodsOf(sqlite, this.#file);
  }

  size(): number {
    const { wasm } = this.#sqlite;
    const out = wasm.pstack.alloc(8);
    try {
      if (this.#methods.size(this.#file, out) !== 0) throw new Error('the size of the file cannot be read');
      return Number(wasm.peek(out, 'i64'));
    } finally {
      wasm.pstack.restore(out + 8);
    }
  }

  read(offset: number, length: number): Uint8Array {
    const { wasm } = this.#sqlite;
    const at = wasm.alloc(length);
    try {
      const status = this.#methods.read(this.#file, at, length, BigInt(offset));
      if (status !== 0) throw new Error(status === shortRead ? 'the file ended early' : `reading failed (${status})`);
      return wasm.heap8u().slice(at, at + length);
    } finally {
      wasm.dealloc(at);
    }
  }
}

function methodsOf({ capi, wasm }: Sqlite3Static, file: number): FileMethods {
  const struct = new capi.sqlite3_file(file);
  const methods = new capi.sqlite3_io_methods(struct.$pMethods);
  // The struct's members by their offsets; sqlite-wasm's types do not name them.
  const { $xRead, $xFileSize } = methods as unknown as { $xRead: number; $xFileSize: number };
  try {
    return {
      read: wasm.functionEntry($xRead) as FileMethods['read'],
      size: wasm.functionEntry($xFileSize) as FileMethods['size'],
    };
  } finally {
    methods.dispose();
    struct.dispose();
  }
}

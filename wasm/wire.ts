/** The binary encoding between the module and the home's store, mirrored by host_store.hpp. It knows bytes and no store. */
import type { SqlRow, SqlStatement, SqlValue, StoreErrorKind } from './sql_store.ts';

const tags = { null: 0, integer: 1, real: 2, text: 3, bytes: 4 } as const;
const statuses = { ok: 0, conflict: 1, full: 2, io: 3 } as const;

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

class Reader {
  #view: DataView;
  #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  count(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  value(): SqlValue {
    const tag = this.#bytes[this.#at++];
    switch (tag) {
      case tags.null:
        return null;
      case tags.integer:
        return BigInt(this.#number());
      case tags.real:
        return this.#number();
      case tags.text:
        return textDecoder.decode(this.#blob());
      case tags.bytes:
        // A copy: the module's memory may move while the store still holds the value.
        return this.#blob().slice();
      default:
        throw new Error(`a request holds the unknown tag ${tag}`);
    }
  }

  statement(): SqlStatement {
    const sql = this.value();
    if (typeof sql !== 'string') throw new Error('a statement begins with its text');
    const params = Array.from({ length: this.count() }, () => this.value());
    return { sql, params };
  }

  #number(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  #blob(): Uint8Array {
    const length = this.count();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  count(count: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, count, true);
    this.#length += 4;
  }

  value(value: SqlValue): void {
    if (value === null) {
      this.byte(tags.null);
    } else if (typeof value === 'bigint') {
      this.byte(tags.integer);
      this.#number(Number(value));
    } else if (typeof value === 'number') {
      this.byte(tags.real);
      this.#number(value);
    } else if (typeof value === 'string') {
      this.byte(tags.text);
      this.#blob(textEncoder.encode(value));
    } else {
      this.byte(tags.bytes);
      this.#blob(value);
    }
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #number(number: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, number, true);
    this.#length += 8;
  }

  #blob(bytes: Uint8Array): void {
    this.count(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

export function decodeStatement(request: Uint8Array): SqlStatement {
  return new Reader(request).statement();
}

export function decodeBatch(request: Uint8Array): SqlStatement[] {
  const reader = new Reader(request);
  return Array.from({ length: reader.count() }, () => reader.statement());
}

export function encodeRows(rows: SqlRow[]): Uint8Array {
  const writer = new Writer();
  writer.byte(statuses.ok);
  writer.count(rows.length);
  writer.count(rows[0]?.length ?? 0);
  for (const row of rows) for (const value of row) writer.value(value);
  return writer.written();
}

export function encodeRefusal(kind: StoreErrorKind, message: string): Uint8Array {
  const writer = new Writer();
  writer.byte(statuses[kind]);
  writer.value(message);
  return writer.written();
}

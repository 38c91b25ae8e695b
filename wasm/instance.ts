/**
 * Instance: one started module with one core in it. It carries messages and notices when the module can no longer be
 * trusted; what to do then is core.ts's to say.
 */
import { type SqlStore, storePort } from './sql_store.ts';

/** What the core cannot know by itself. */
export interface Host {
  /** Milliseconds since 1970, never going back. */
  nowMs(): number;
  randomBytes(into: Uint8Array): void;
  /** One structured line for the operator. */
  log(line: string): void;
}

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Settings that differ from limits.hpp's own, by the same names. */
export type Limits = Record<string, number>;

/** A core's refusal, as an agent reads it. */
export interface ErrorAnswer extends JsonObject {
  error: string;
  message: string;
  hint: string;
}

/** What a caller can mend. */
export class CoreError extends Error {
  readonly answer: ErrorAnswer;

  constructor(answer: ErrorAnswer) {
    super(answer.message);
    this.name = 'CoreError';
    this.answer = answer;
  }
}

/** The instance trapped, aborted or let an exception escape: nothing it holds is to be trusted, what the store holds is. */
export class Poisoned extends Error {
  readonly kind: 'out_of_memory' | 'internal';

  constructor(kind: 'out_of_memory' | 'internal', message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Poisoned';
    this.kind = kind;
  }
}

/** JSON goes in and comes out as UTF-8; what comes out is a view of the module's memory, valid until the next call. */
interface Exports {
  open(store: object, host: Host, limits: Uint8Array): Uint8Array;
  send(message: Uint8Array): Uint8Array;
  stage_append(staged: number, bytes: Uint8Array): Uint8Array;
  staged_read(staged: number, offset: number, into: Uint8Array): Uint8Array;
}

type Instantiated = (instance: WebAssembly.Instance) => void;

/** The factory that stele.mjs exports. */
export type Glue = (options: {
  wasmMemory: WebAssembly.Memory;
  instantiateWasm(imports: WebAssembly.Imports, done: Instantiated): object;
  print(text: string): void;
  printErr(text: string): void;
}) => Promise<unknown>;

/** The module's two files as a home has loaded them. */
export interface Module {
  glue: Glue;
  wasm: WebAssembly.Module;
}

/** Starts a module in this memory, and answers what it exports. */
export async function startModule<T>(
  { glue, wasm }: Module,
  memory: WebAssembly.Memory,
  print: (text: string) => void = () => {},
): Promise<T> {
  const started = await glue({
    wasmMemory: memory,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
    print,
    printErr: print,
  });
  return started as T;
}

export interface InstanceOptions {
  module: Module;
  store: SqlStore;
  host: Host;
  limits: Limits;
  /** How far the module's memory may grow. The engine's own limit, limits.memory_bytes, should be about half of it. */
  memoryBytesMax: number;
  /** Makes the module's memory, for a home that has a say in how it grows. */
  makeMemory?(descriptor: WebAssembly.MemoryDescriptor): WebAssembly.Memory;
}

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder();

function encoded(message: JsonObject): Uint8Array {
  return textEncoder.encode(JSON.stringify(message));
}

const pageBytes = 65536;
/** Bytes of the memory that every instance starts with, as it was linked: what most calls make do with. */
export const initialBytes = 16 << 20;

const plainMemory = (descriptor: WebAssembly.MemoryDescriptor) => new WebAssembly.Memory(descriptor);

export class Instance {
  #exports: Exports;
  #memory: WebAssembly.Memory;
  #bytesMax: number;
  #poisoned: Poisoned | undefined;

  private constructor(exports: Exports, memory: WebAssembly.Memory, bytesMax: number) {
    this.#exports = exports;
    this.#memory = memory;
    this.#bytesMax = bytesMax;
  }

  /** Starts the module and opens the store. Throws CoreError if the store cannot be opened, Poisoned if the start failed. */
  static async start(options: InstanceOptions): Promise<Instance> {
    const { module, store, host, limits, memoryBytesMax, makeMemory = plainMemory } = options;
    const memory = makeMemory({
      initial: initialBytes / pageBytes,
      maximum: Math.floor(memoryBytesMax / pageBytes),
    });
    const exports = await startModule<Exports>(module, memory, (text) => host.log(text));
    const instance = new Instance(exports, memory, memoryBytesMax);
    instance.#run(() => exports.open(storePort(store), host, encoded(limits)));
    return instance;
  }

  /** One message in, its answer out. Throws CoreError or Poisoned. */
  send(message: JsonObject): Json {
    return this.#run(() => this.#exports.send(encoded(message)));
  }

  stageAppend(staged: number, bytes: Uint8Array): void {
    this.#run(() => this.#exports.stage_append(staged, bytes));
  }

  stagedRead(staged: number, offset: number, into: Uint8Array): void {
    this.#run(() => this.#exports.staged_read(staged, offset, into));
  }

  /** Bytes of the module's memory. It never shrinks. */
  memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  #run(work: () => Uint8Array): Json {
    if (this.#poisoned) throw this.#poisoned;
    let reply: JsonObject;
    try {
      reply = JSON.parse(textDecoder.decode(work())) as JsonObject;
    } catch (error) {
      throw this.#poison(this.#kindOf(), error instanceof Error ? error.message : String(error), error);
    }
    if ('ok' in reply) return reply.ok ?? null;
    if ('error' in reply) throw new CoreError(reply as ErrorAnswer);
    throw this.#poison(reply.fatal === 'out_of_memory' ? 'out_of_memory' : 'internal', String(reply.message));
  }

  #poison(kind: Poisoned['kind'], message: string, cause?: unknown): Poisoned {
    this.#poisoned = new Poisoned(kind, message, cause);
    return this.#poisoned;
  }

  /** A trap does not say why it came; memory that has grown nearly as far as it may is the likeliest cause. */
  #kindOf(): Poisoned['kind'] {
    return this.memoryBytes() > this.#bytesMax * 0.9 ? 'out_of_memory' : 'internal';
  }
}

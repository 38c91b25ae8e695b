/**
 * Home: what the core asks of the outside, and the desk where bytes that came from there are laid. A home answers questions;
 * it never calls tools.
 */
import type { ErrorAnswer, JsonObject } from './instance.ts';
import { macrotask } from './macrotask.ts';

/** The questions of core.hpp. */
export type Question =
  | { ask: 'fetch'; url: string }
  | ({ ask: 'unpack_xlsx'; staged: number } & SheetRequest)
  | { ask: 'sign'; digest: string };

/** Which part of a workbook is the table. */
export interface SheetRequest {
  /** The first visible sheet if null. */
  sheet: string | null;
  /** Rows of the sheet above the header; found if left out. */
  skip_rows?: number | undefined;
  /** Whether the first row names the columns; true if left out. */
  header?: boolean | undefined;
}

export interface Progress {
  done: number;
  /** 0 when unknown. */
  total: number;
  what: string;
}

export interface AskContext {
  /** Aborts when the call was cancelled or the core was replaced. */
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** The call comes from the person whose machine this is, who may name local files. */
  trusted: boolean;
}

export interface Home {
  /** Throws HomeError for what the caller can mend. */
  ask(question: Question, staging: Staging, context: AskContext): Promise<JsonObject>;
}

/** Staged bytes. After the core was replaced every method rejects. */
export interface Staging {
  begin(): Promise<number>;
  append(staged: number, bytes: Uint8Array): Promise<void>;
  end(staged: number): Promise<void>;
  remove(staged: number): Promise<void>;
  size(staged: number): Promise<number>;
  read(staged: number, offset: number, length: number): Promise<Uint8Array>;
}

export class HomeError extends Error {
  readonly answer: ErrorAnswer;

  constructor(kind: string, message: string, hint: string) {
    super(message);
    this.name = 'HomeError';
    this.answer = { error: kind, message, hint };
  }
}

const chunkBytes = 1 << 20;

/** Stages a stream of bytes in chunks of 1 MiB; removes what it staged if the stream fails. */
export async function stageAll(staging: Staging, source: AsyncIterable<Uint8Array>): Promise<number> {
  const staged = await staging.begin();
  try {
    for await (const chunk of chunksOf(source)) {
      await staging.append(staged, chunk);
      // A source that is always ready yields to nobody: others want to be heard meanwhile, a cancel among them.
      await macrotask();
    }
    await staging.end(staged);
    return staged;
  } catch (error) {
    await staging.remove(staged).catch(() => {});
    throw error;
  }
}

async function* chunksOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(chunkBytes);
  let filled = 0;
  for await (let bytes of source) {
    while (bytes.length > 0) {
      if (filled === 0 && bytes.length >= chunkBytes) {
        yield bytes.subarray(0, chunkBytes);
        bytes = bytes.subarray(chunkBytes);
        continue;
      }
      const taken = Math.min(bytes.length, chunkBytes - filled);
      chunk.set(bytes.subarray(0, taken), filled);
      filled += taken;
      bytes = bytes.subarray(taken);
      if (filled === chunkBytes) {
        yield chunk;
        chunk = new Uint8Array(chunkBytes);
        filled = 0;
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

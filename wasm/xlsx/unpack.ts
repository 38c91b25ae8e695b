/**
 * A staged workbook's way to staged cells, the same in every home: read as a whole, unpacked batch by batch, staged as it
 * comes. A home chooses where the unpacking runs and how large a workbook may be.
 */
import { type AskContext, HomeError, type SheetRequest, stageAll, type Staging } from '../home.ts';
import type { ErrorAnswer, JsonObject } from '../instance.ts';
import { readXlsx } from './table.ts';

export interface XlsxRequest {
  bytes: Uint8Array<ArrayBuffer>;
  sheet: SheetRequest;
}

/** What an unpacking says: lines and then the end, or a refusal. It is plain data, so that it may cross threads. */
export type XlsxReply =
  | { kind: 'lines'; text: string; done: number; rows: number }
  | { kind: 'end'; facts: JsonObject; warnings: JsonObject[] }
  | { kind: 'refused'; answer: ErrorAnswer };

export interface XlsxStaging {
  /** A larger workbook is refused as too_large. */
  bytesMax: number;
  /** Unpacks where the home wants it done; may take the bytes' buffer for itself. */
  unpack(bytes: Uint8Array<ArrayBuffer>): Iterable<XlsxReply> | AsyncIterable<XlsxReply>;
}

const linesPerReply = 1000;
const chunkBytes = 1 << 20;

/** Answers the core's question unpack_xlsx. */
export async function stageCells(
  staged: number,
  staging: Staging,
  context: AskContext,
  { bytesMax, unpack }: XlsxStaging,
): Promise<JsonObject> {
  const replies = unpack(await readStaged(staged, staging, bytesMax));
  const end: { facts: JsonObject; warnings: JsonObject[] } = { facts: {}, warnings: [] };
  async function* cells(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    for await (const reply of replies) {
      switch (reply.kind) {
        case 'lines':
          context.onProgress({ done: reply.done, total: reply.rows, what: 'unpacking the sheet' });
          yield encoder.encode(reply.text);
          break;
        case 'end':
          Object.assign(end, { facts: reply.facts, warnings: reply.warnings });
          break;
        case 'refused':
          throw new HomeError(reply.answer.error, reply.answer.message, reply.answer.hint);
      }
    }
  }
  return { staged: await stageAll(staging, cells()), ...end };
}

/** The unpacking itself. Throws only what no caller can mend. */
export function* repliesTo({ bytes, sheet }: XlsxRequest): Generator<XlsxReply, void> {
  try {
    const { lines, rows, facts, warnings } = readXlsx(bytes, sheet);
    let batch: string[] = [];
    let done = 0;
    for (const line of lines) {
      if (batch.push(line) < linesPerReply) continue;
      done += batch.length;
      yield { kind: 'lines', text: batch.join(''), done, rows };
      batch = [];
    }
    if (batch.length > 0) yield { kind: 'lines', text: batch.join(''), done: rows, rows };
    yield { kind: 'end', facts, warnings };
  } catch (error) {
    if (!(error instanceof HomeError)) throw error;
    yield { kind: 'refused', answer: error.answer };
  }
}

/** What a home says of a workbook that its unpacking could not bear. */
export function unreadable(): HomeError {
  return new HomeError('not_xlsx', 'The workbook could not be read.', 'Save it again as .xlsx, or as CSV.');
}

async function readStaged(staged: number, staging: Staging, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const size = await staging.size(staged);
  if (size > bytesMax) {
    throw new HomeError(
      'too_large',
      `The workbook is larger than the ${bytesMax >> 20} MiB that are unpacked here.`,
      'Save the sheet as CSV and import that.',
    );
  }
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += chunkBytes)
    bytes.set(await staging.read(staged, at, Math.min(chunkBytes, size - at)), at);
  return bytes;
}

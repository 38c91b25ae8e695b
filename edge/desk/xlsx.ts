/** Unpacks a staged XLSX workbook into staged cells, on a thread of its own with a bound on its memory. */
import { Worker } from 'node:worker_threads';
import { type AskContext, HomeError, stageAll, type Staging } from '../../wasm/home.ts';
import type { ErrorAnswer, JsonObject } from '../../wasm/instance.ts';

export interface XlsxRequest {
  bytes: Uint8Array;
  sheet: string | null;
}

export type XlsxReply =
  | { kind: 'lines'; text: string; done: number; rows: number }
  | { kind: 'end'; facts: JsonObject; warnings: JsonObject[] }
  | { kind: 'refused'; answer: ErrorAnswer };

const workbookBytesMax = 256 << 20;
const heapMbMax = 2048;
const chunkBytes = 1 << 20;

export async function unpackXlsx(
  staged: number,
  sheet: string | null,
  staging: Staging,
  context: AskContext,
): Promise<JsonObject> {
  const bytes = await readStaged(staged, staging);
  const worker = new Worker(new URL('./xlsx_worker.ts', import.meta.url), {
    workerData: { bytes, sheet } satisfies XlsxRequest,
    transferList: [bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  });
  const stop = () => void worker.terminate();
  context.signal.addEventListener('abort', stop, { once: true });
  const end: { facts: JsonObject; warnings: JsonObject[] } = { facts: {}, warnings: [] };
  try {
    const cells = await stageAll(staging, linesFrom(worker, end, context));
    return { staged: cells, facts: end.facts, warnings: end.warnings };
  } finally {
    context.signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

async function readStaged(staged: number, staging: Staging): Promise<Uint8Array> {
  const size = await staging.size(staged);
  if (size > workbookBytesMax) {
    throw new HomeError(
      'too_large',
      `The workbook is larger than ${workbookBytesMax >> 20} MiB.`,
      'Save the sheet as CSV and import that.',
    );
  }
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += chunkBytes)
    bytes.set(await staging.read(staged, at, Math.min(chunkBytes, size - at)), at);
  return bytes;
}

async function* linesFrom(
  worker: Worker,
  end: { facts: JsonObject; warnings: JsonObject[] },
  context: AskContext,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const reply of repliesOf(worker)) {
    switch (reply.kind) {
      case 'lines':
        context.onProgress({ done: reply.done, total: reply.rows, what: 'unpacking the sheet' });
        yield encoder.encode(reply.text);
        break;
      case 'end':
        Object.assign(end, { facts: reply.facts, warnings: reply.warnings });
        return;
      case 'refused':
        throw new HomeError(reply.answer.error, reply.answer.message, reply.answer.hint);
    }
  }
}

/** The worker's messages in order; throws if it ends before its work does. */
async function* repliesOf(worker: Worker): AsyncGenerator<XlsxReply> {
  const replies: XlsxReply[] = [];
  let failure: unknown;
  let wake = () => {};
  worker.on('message', (reply: XlsxReply) => {
    replies.push(reply);
    wake();
  });
  worker.on('error', (error) => {
    failure = error;
    wake();
  });
  worker.on('exit', () => {
    failure ??= new Error('the unpacking thread ended early');
    wake();
  });
  for (;;) {
    const reply = replies.shift();
    if (reply) {
      yield reply;
    } else if (failure) {
      throw asHomeError(failure);
    } else {
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
}

function asHomeError(failure: unknown): HomeError {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new HomeError(
        'too_large',
        'The workbook needs more memory than an import may use.',
        'Save the sheet as CSV and import that.',
      )
    : new HomeError('not_xlsx', 'The workbook could not be read.', 'Save it again as .xlsx, or as CSV.');
}

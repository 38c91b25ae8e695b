/** Unpacks a staged XLSX workbook into staged cells, in a worker of its own, so that a large one holds up nobody. */
import { type AskContext, HomeError, stageAll, type Staging } from '../wasm/home.ts';
import type { ErrorAnswer, JsonObject } from '../wasm/instance.ts';

/** One workbook to the worker, then an empty message for each further batch of lines. */
export interface XlsxRequest {
  bytes: Uint8Array;
  sheet: string | null;
}

export type XlsxReply =
  | { kind: 'lines'; text: string; done: number; rows: number }
  | { kind: 'end'; facts: JsonObject; warnings: JsonObject[] }
  | { kind: 'refused'; answer: ErrorAnswer };

const workbookBytesMax = 256 << 20;
const chunkBytes = 1 << 20;

export async function unpackXlsx(
  staged: number,
  sheet: string | null,
  staging: Staging,
  context: AskContext,
): Promise<JsonObject> {
  const bytes = await readStaged(staged, staging);
  const worker = new Worker(new URL('./xlsx_worker.ts', import.meta.url), { type: 'module' });
  const end: { facts: JsonObject; warnings: JsonObject[] } = { facts: {}, warnings: [] };
  try {
    const cells = await stageAll(staging, linesFrom(worker, { bytes, sheet }, end, context));
    return { staged: cells, facts: end.facts, warnings: end.warnings };
  } finally {
    worker.terminate();
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
  request: XlsxRequest,
  end: { facts: JsonObject; warnings: JsonObject[] },
  context: AskContext,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let asking: [message: unknown, transfer: Transferable[]] = [request, [request.bytes.buffer as ArrayBuffer]];
  for (;;) {
    const reply = await ask(worker, asking, context.signal);
    switch (reply.kind) {
      case 'lines':
        context.onProgress({ done: reply.done, total: reply.rows, what: 'unpacking the sheet' });
        yield encoder.encode(reply.text);
        asking = [null, []];
        break;
      case 'end':
        Object.assign(end, { facts: reply.facts, warnings: reply.warnings });
        return;
      case 'refused':
        throw new HomeError(reply.answer.error, reply.answer.message, reply.answer.hint);
    }
  }
}

function ask(worker: Worker, [message, transfer]: [unknown, Transferable[]], signal: AbortSignal): Promise<XlsxReply> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    worker.onmessage = ({ data }) => {
      signal.removeEventListener('abort', abort);
      resolve(data as XlsxReply);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new HomeError('not_xlsx', 'The workbook could not be read.', 'Save it again as .xlsx, or as CSV.'));
    };
    worker.postMessage(message, transfer);
  });
}

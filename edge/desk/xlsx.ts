/** Unpacks a staged workbook on a thread of its own with a bound on its memory. */
import { Worker } from 'node:worker_threads';
import { type AskContext, HomeError, type SheetRequest, type Staging } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { stageCells, unreadable, type XlsxReply, type XlsxRequest } from '../../wasm/xlsx/unpack.ts';

const workbookBytesMax = 256 << 20;
const heapMbMax = 2048;

export function unpackXlsx(
  staged: number,
  sheet: SheetRequest,
  staging: Staging,
  context: AskContext,
): Promise<JsonObject> {
  return stageCells(staged, staging, context, {
    bytesMax: workbookBytesMax,
    unpack: (bytes) => repliesOfThread({ bytes, sheet }, context.signal),
  });
}

async function* repliesOfThread(request: XlsxRequest, signal: AbortSignal): AsyncGenerator<XlsxReply> {
  const worker = new Worker(new URL('./xlsx_worker.ts', import.meta.url), {
    workerData: request,
    transferList: [request.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* repliesOf(worker);
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** The thread's messages in order, to the last; throws if it ends before its work does. */
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
      if (reply.kind !== 'lines') return;
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
    : unreadable();
}

/** Unpacks a staged workbook in a worker of its own, so that a large one holds up nobody. */
import type { AskContext, SheetRequest, Staging } from '../wasm/home.ts';
import type { JsonObject } from '../wasm/instance.ts';
import { stageCells, unreadable, type XlsxReply, type XlsxRequest } from '../wasm/xlsx/unpack.ts';

const workbookBytesMax = 256 << 20;

export async function unpackXlsx(
  staged: number,
  sheet: SheetRequest,
  staging: Staging,
  context: AskContext,
): Promise<JsonObject> {
  return stageCells(staged, staging, context, {
    bytesMax: workbookBytesMax,
    unpack: (bytes) => repliesOfWorker({ bytes, sheet }, context.signal),
  });
}

/** The worker answers the workbook and each further asking with one reply, so that what is not yet staged stays small. */
async function* repliesOfWorker(request: XlsxRequest, signal: AbortSignal): AsyncGenerator<XlsxReply> {
  const worker = new Worker(new URL('./xlsx_worker.ts', import.meta.url), { type: 'module' });
  try {
    let reply = await ask(worker, request, [request.bytes.buffer], signal);
    while (reply.kind === 'lines') {
      yield reply;
      reply = await ask(worker, null, [], signal);
    }
    yield reply;
  } finally {
    worker.terminate();
  }
}

function ask(
  worker: Worker,
  message: XlsxRequest | null,
  transfer: Transferable[],
  signal: AbortSignal,
): Promise<XlsxReply> {
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
      reject(unreadable());
    };
    worker.postMessage(message, transfer);
  });
}

/** The edge's home: downloads by fetch, workbooks within what an isolate can hold, signatures by the deployment's secret key. */
import { type AskContext, type Home, HomeError, type Question, stageAll, type Staging } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { readXlsx } from '../../wasm/xlsx/table.ts';
import { fetchDownload } from './fetch_download.ts';
import type { SigningKey } from './signing_key.ts';

export interface EdgeHomeOptions {
  key: SigningKey | undefined;
  /** For local trials: lets downloads reach addresses that are not public. */
  allowPrivate: boolean;
}

// An isolate has 128 MB, the engines' budget is 90 of them, and a workbook unpacks to several times its size.
const workbookBytesMax = 2 << 20;
const chunkBytes = 1 << 20;
const linesPerChunk = 1000;

export function edgeHome({ key, allowPrivate }: EdgeHomeOptions): Home {
  return {
    async ask(question: Question, staging: Staging, context: AskContext): Promise<JsonObject> {
      switch (question.ask) {
        case 'fetch': {
          const { url, contentType, body } = await fetchDownload(question.url, { ...context, allowPrivate });
          return { staged: await stageAll(staging, body), url, content_type: contentType };
        }
        case 'unpack_xlsx':
          return unpackXlsx(question.staged, question.sheet, staging, context);
        case 'sign':
          if (!key)
            throw new HomeError('unavailable', 'This server has no signing key.', 'stele doctor says how to set one.');
          return key.sign(question.digest);
        default:
          throw new HomeError('unavailable', 'The edge cannot answer this question.', 'Call another tool.');
      }
    },
  };
}

async function unpackXlsx(
  staged: number,
  sheet: string | null,
  staging: Staging,
  context: AskContext,
): Promise<JsonObject> {
  const size = await staging.size(staged);
  if (size > workbookBytesMax) {
    throw new HomeError(
      'too_large',
      `The workbook is larger than the ${workbookBytesMax >> 20} MiB that this server unpacks.`,
      'Save the sheet as CSV and import that.',
    );
  }
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += chunkBytes)
    bytes.set(await staging.read(staged, at, Math.min(chunkBytes, size - at)), at);
  const { lines, rows, facts, warnings } = readXlsx(bytes, sheet);
  async function* cells(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    let batch: string[] = [];
    let done = 0;
    for (const line of lines) {
      if (batch.push(line) < linesPerChunk) continue;
      done += batch.length;
      context.onProgress({ done, total: rows, what: 'unpacking the sheet' });
      yield encoder.encode(batch.join(''));
      batch = [];
    }
    yield encoder.encode(batch.join(''));
  }
  return { staged: await stageAll(staging, cells()), facts, warnings };
}

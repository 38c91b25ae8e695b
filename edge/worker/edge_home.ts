/** The edge's home: downloads by fetch, workbooks within what an isolate can hold, signatures by the deployment's secret key. */
import { type AskContext, type Home, HomeError, type Question, stageAll, type Staging } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { repliesTo, stageCells } from '../../wasm/xlsx/unpack.ts';
import { fetchDownload } from './fetch_download.ts';
import type { SigningKey } from './signing_key.ts';

export interface EdgeHomeOptions {
  key: SigningKey | undefined;
  /** For local trials: lets downloads reach addresses that are not public. */
  allowPrivate: boolean;
}

// An isolate has 128 MB, the engines' budget is 90 of them, and a workbook unpacks to several times its size.
const workbookBytesMax = 2 << 20;

export function edgeHome({ key, allowPrivate }: EdgeHomeOptions): Home {
  return {
    async ask(question: Question, staging: Staging, context: AskContext): Promise<JsonObject> {
      switch (question.ask) {
        case 'fetch': {
          const { url, contentType, body } = await fetchDownload(question.url, { ...context, allowPrivate });
          return { staged: await stageAll(staging, body), url, content_type: contentType };
        }
        case 'unpack_xlsx':
          return stageCells(question.staged, staging, context, {
            bytesMax: workbookBytesMax,
            unpack: (bytes) => repliesTo({ bytes, sheet: question }),
          });
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

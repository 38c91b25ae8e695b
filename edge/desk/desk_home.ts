/** The desk's home: downloads, local files of the person at the keyboard, workbooks and signatures. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type AskContext, type Home, HomeError, type Question, stageAll, type Staging } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { isPublicAddress } from '../addresses.ts';
import { download } from './download.ts';
import { SigningKey } from './signing.ts';
import { unpackXlsx } from './xlsx.ts';

export interface DeskHomeOptions {
  keyFile: string;
  allowPrivate: boolean;
}

export function deskHome({ keyFile, allowPrivate }: DeskHomeOptions): Home {
  let key: SigningKey | undefined;
  return {
    async ask(question: Question, staging: Staging, context: AskContext): Promise<JsonObject> {
      switch (question.ask) {
        case 'fetch':
          return context.trusted && question.url.startsWith('file:')
            ? stageFile(question.url, staging, context)
            : stageDownload(question.url, staging, context, allowPrivate);
        case 'unpack_xlsx':
          return unpackXlsx(question.staged, question, staging, context);
        case 'sign':
          key ??= new SigningKey(keyFile);
          return key.sign(question.digest);
        default:
          throw new HomeError('unavailable', 'The desk cannot answer this question.', 'Call another tool.');
      }
    },
  };
}

async function stageDownload(
  url: string,
  staging: Staging,
  context: AskContext,
  allowPrivate: boolean,
): Promise<JsonObject> {
  const {
    url: finalUrl,
    contentType,
    body,
  } = await download(url, {
    isAllowed: allowPrivate ? () => true : isPublicAddress,
    signal: context.signal,
    onProgress: context.onProgress,
  });
  return { staged: await stageAll(staging, body), url: finalUrl, content_type: contentType };
}

async function stageFile(url: string, staging: Staging, context: AskContext): Promise<JsonObject> {
  const path = fileURLToPath(url);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) throw new HomeError('download_failed', `There is no file ${path}.`, 'Check the path.');
  let done = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(path, {
      signal: context.signal,
      highWaterMark: 1 << 20,
    }) as AsyncIterable<Uint8Array>) {
      done += chunk.length;
      context.onProgress({ done, total: facts!.size, what: 'reading the file' });
      yield chunk;
    }
  }
  return { staged: await stageAll(staging, counted()), url, content_type: '' };
}

/** The page's home: downloads, files that the person dropped, workbooks and signatures. It runs in the worker with the core. */
import { type AskContext, type Home, HomeError, type Question, stageAll, type Staging } from '../wasm/home.ts';
import type { JsonObject } from '../wasm/instance.ts';
import { download } from './download.ts';
import type { SigningKey } from './signing_key.ts';
import { unpackXlsx } from './xlsx.ts';

export class PageHome implements Home {
  #key: SigningKey;
  #files = new Map<string, Blob>();

  constructor(key: SigningKey) {
    this.#key = key;
  }

  /** Lets trusted calls read these files, by their URLs, until the returned function is called. */
  lend(files: Record<string, Blob>): () => void {
    for (const [url, file] of Object.entries(files)) this.#files.set(url, file);
    return () => {
      for (const url of Object.keys(files)) this.#files.delete(url);
    };
  }

  async ask(question: Question, staging: Staging, context: AskContext): Promise<JsonObject> {
    switch (question.ask) {
      case 'fetch': {
        const file = context.trusted ? this.#files.get(question.url) : undefined;
        return file ? stageFile(file, staging, context) : stageDownload(question.url, staging, context);
      }
      case 'unpack_xlsx':
        return unpackXlsx(question.staged, question, staging, context);
      case 'sign':
        return this.#key.sign(question.digest);
      default:
        throw new HomeError('unavailable', 'The page cannot answer this question.', 'Call another tool.');
    }
  }
}

async function stageDownload(url: string, staging: Staging, context: AskContext): Promise<JsonObject> {
  const { url: finalUrl, contentType, body } = await download(url, context);
  return { staged: await stageAll(staging, body), url: finalUrl, content_type: contentType };
}

async function stageFile(file: Blob, staging: Staging, context: AskContext): Promise<JsonObject> {
  let done = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytesOf(file.stream(), context.signal)) {
      done += chunk.length;
      context.onProgress({ done, total: file.size, what: 'reading the file' });
      yield chunk;
    }
  }
  const staged = await stageAll(staging, counted()).catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error;
    throw new HomeError('download_failed', `The file cannot be read: ${error.message}`, 'Choose the file again.');
  });
  // The operating system's idea of a file's type is often wrong; its name is not.
  return { staged, url: file instanceof File ? file.name : '', content_type: '' };
}

/** A stream's chunks; not every browser lets a stream be iterated. */
export async function* bytesOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

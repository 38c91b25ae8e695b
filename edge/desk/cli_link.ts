/**
 * The link between `stele` commands and a desk that is running already, over its HTTP server: a file beside the store names
 * the address and a token that only the store's owner can read. Whoever holds the token acts as the owner.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  type Answer,
  type Caller,
  type CallOptions,
  type CoreApi,
  failed,
  type ToolList,
  type Tools,
} from '../../wasm/core.ts';
import type { Progress } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';

export const linkPath = '/desk/call';

/** What the owner's commands need. */
export type OwnerTools = Tools & Pick<CoreApi, 'makePrivate' | 'view'>;

interface LinkFile {
  url: string;
  pid: number;
  token: string;
}

type LinkRequest =
  | { tools: true }
  | { unshare: string }
  | { tool: string; args: JsonObject; caller: Caller; trusted: boolean }
  | { view: string; args: JsonObject; caller: Caller };
type LinkLine = { progress: Progress } | { answer: Answer } | { tools: ToolList } | { unshared: true };

function linkFile(storeFile: string): string {
  return `${storeFile}.server.json`;
}

/** Says where this desk is. Returns its token and what to call when it ends. */
export function announce(storeFile: string, url: string): { token: string; withdraw(): void } {
  const token = randomBytes(32).toString('base64url');
  const path = linkFile(storeFile);
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify({ url, pid: process.pid, token } satisfies LinkFile)}\n`, { mode: 0o600 });
  return { token, withdraw: () => rmSync(path, { force: true }) };
}

/** The desk that holds the store; undefined if the file is stale or missing. */
export async function findRunning(storeFile: string): Promise<LinkedDesk | undefined> {
  let link: LinkFile;
  try {
    link = JSON.parse(readFileSync(linkFile(storeFile), 'utf8')) as LinkFile;
    process.kill(link.pid, 0);
  } catch {
    return undefined;
  }
  const desk = new LinkedDesk(link);
  const tools = await desk.tools().catch(() => undefined);
  return tools && desk;
}

/** The other desk has ended; what was asked of it did not begin. */
export class DeskGone extends Error {}

/** The tools of a desk in another process. */
export class LinkedDesk implements OwnerTools {
  readonly url: string;
  #link: LinkFile;

  constructor(link: LinkFile) {
    this.#link = link;
    this.url = link.url;
  }

  async tools(): Promise<ToolList> {
    for await (const line of this.#send({ tools: true })) if ('tools' in line) return line.tools;
    throw new Error('the running desk did not list its tools');
  }

  async makePrivate(table: string): Promise<void> {
    for await (const line of this.#send({ unshare: table })) {
      if ('answer' in line) throw new Error(String(line.answer.value.message));
    }
  }

  /** Throws DeskGone if the other desk has ended before the call began. */
  call(tool: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#ask({ tool, args, caller, trusted: options.trusted === true }, options);
  }

  /** Throws as `call` does. */
  view(name: string, args: JsonObject, caller: Caller, options: CallOptions = {}): Promise<Answer> {
    return this.#ask({ view: name, args, caller }, options);
  }

  async #ask(request: LinkRequest, options: CallOptions): Promise<Answer> {
    try {
      for await (const line of this.#send(request, options.signal)) {
        if ('progress' in line) options.onProgress?.(line.progress);
        if ('answer' in line) return line.answer;
      }
    } catch (error) {
      if (error instanceof DeskGone) throw error;
      if (options.signal?.aborted) return failed('cancelled', 'The call was cancelled.', 'Call again to start over.');
      return failed(
        'unavailable',
        `The desk at ${this.url} broke off: ${String(error)}`,
        'After a write, look at table_history before repeating it.',
      );
    }
    return failed(
      'unavailable',
      `The desk at ${this.url} broke off.`,
      'After a write, look at table_history before repeating it.',
    );
  }

  async *#send(request: LinkRequest, signal?: AbortSignal): AsyncGenerator<LinkLine> {
    const response = await fetch(new URL(linkPath, this.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#link.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: signal ?? null,
    }).catch((error: Error) => {
      const refused = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
      throw refused ? new DeskGone(`The desk at ${this.url} has ended.`) : error;
    });
    if (!response.ok || !response.body) throw new Error(`it answered ${response.status}`);
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as LinkLine;
    }
  }
}

/** The running desk's side: answers with one JSON line per progress and one for the end. */
export function linkHandler(core: CoreApi, token: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    if (!sameText(request.headers.get('authorization') ?? '', `Bearer ${token}`))
      return new Response(null, { status: 401 });
    const asked = (await request.json()) as LinkRequest;
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const write = (line: LinkLine) => {
          // Once the reader has left there is nobody to tell.
          if (!request.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        };
        if ('tools' in asked) {
          write({ tools: await core.tools() });
        } else if ('unshare' in asked) {
          await core.makePrivate(asked.unshare).then(
            () => write({ unshared: true }),
            (error: Error) => write({ answer: failed('unshare_failed', error.message, '') }),
          );
        } else {
          const onProgress = (progress: Progress) => write({ progress });
          const options = { onProgress, signal: request.signal };
          const { args, caller } = asked;
          const answer =
            'view' in asked
              ? await core.view(asked.view, args, caller, options)
              : await core.call(asked.tool, args, caller, { ...options, trusted: asked.trusted });
          write({ answer });
        }
        if (!request.signal.aborted) controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  };
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

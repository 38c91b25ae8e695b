/** The page's downloads, with a network that a test plays: what a browser lets a page know, and what the page makes of it. */
import { describe, expect, test } from 'vitest';
import { HomeError, type Progress } from '../../wasm/home.ts';
import { download, type DownloadOptions } from '../../worker/download.ts';

type Network = (url: string, request: RequestInit) => Promise<Response>;

async function read(url: string, network: Network, options: Partial<DownloadOptions> = {}) {
  const progress: Progress[] = [];
  const { body, ...facts } = await download(url, {
    signal: new AbortController().signal,
    onProgress: (step) => progress.push(step),
    fetch: ((input: URL, request: RequestInit) => network(String(input), request)) as typeof fetch,
    ...options,
  });
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return { text: Buffer.concat(parts).toString(), progress, ...facts };
}

async function refusal(reading: Promise<unknown>): Promise<HomeError['answer']> {
  const error = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof HomeError)) throw new Error(`not refused: ${String(error)}`);
  return error.answer;
}

const unreadable: Network = async (_url, { mode }) => {
  if (mode === 'no-cors') return new Response(null);
  throw new TypeError('Failed to fetch');
};
const unreachable: Network = async () => {
  throw new TypeError('Failed to fetch');
};

describe('a download of the page', () => {
  test('brings the body, the type and progress by the announced length', async () => {
    const headers = { 'content-type': 'text/csv', 'content-length': '8' };
    const got = await read('https://example.org/a.csv', async () => new Response('a,b\n1,2\n', { headers }));
    expect(got).toMatchObject({ text: 'a,b\n1,2\n', contentType: 'text/csv', url: 'https://example.org/a.csv' });
    expect(got.progress.at(-1)).toMatchObject({ done: 8, total: 8 });
  });

  test('has no total once more came than was announced, as of a compressed body', async () => {
    const got = await read(
      'https://example.org/a.csv',
      async () => new Response('12345', { headers: { 'content-length': '3' } }),
    );
    expect(got.progress.at(-1)).toMatchObject({ done: 5, total: 0 });
  });

  test('sends neither cookies nor a referrer', async () => {
    const asked: RequestInit[] = [];
    await read('https://example.org/a.csv', async (_url, request) => {
      asked.push(request);
      return new Response('x');
    });
    expect(asked).toEqual([expect.objectContaining({ credentials: 'omit', referrerPolicy: 'no-referrer' })]);
  });

  test('that the server lets no page read says so and how to go on', async () => {
    const answer = await refusal(read('https://example.org/a.csv', unreadable));
    expect(answer.error).toBe('cors_refused');
    expect(answer.hint).toMatch(/drop it onto the page/);
  });

  test('from a server that does not answer is another refusal', async () => {
    expect(await refusal(read('https://example.org/a.csv', unreachable))).toMatchObject({ error: 'download_failed' });
  });

  test.each(['ftp://example.org/a', 'file:///etc/passwd', 'not a url', 'data:text/csv,a', 'javascript:1'])(
    'of %s is refused without a request',
    async (url) => {
      const answer = await refusal(read(url, async () => new Response('never')));
      expect(answer.error).toBe('url_refused');
    },
  );

  test('with a password in its URL is refused', async () => {
    const url = 'https://user:secret@example.org/a';
    const answer = await refusal(read(url, async () => new Response('never')));
    expect(answer.error).toBe('url_refused');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  test('tells the status of an answer that is none', async () => {
    const network: Network = async () => new Response('gone', { status: 410, statusText: 'Gone' });
    expect((await refusal(read('https://example.org/a.csv', network))).message).toBe('example.org answered 410 Gone.');
  });

  test('stops at the limit', async () => {
    const network: Network = async () => new Response('x'.repeat(100));
    expect(await refusal(read('https://example.org/a.csv', network, { bytesMax: 99 }))).toMatchObject({
      error: 'too_large',
    });
  });

  test('that stands still is given up', async () => {
    const network: Network = async (_url, { signal }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('a'));
            signal!.addEventListener('abort', () => controller.error(signal!.reason));
          },
        }),
      );
    const answer = await refusal(read('https://example.org/a.csv', network, { idleMsMax: 20 }));
    expect(answer.message).toMatch(/sent nothing for too long/);
  });

  test('that is cancelled ends with the reason of the cancel', async () => {
    const cancelling = new AbortController();
    const network: Network = async () => {
      cancelling.abort(new Error('enough'));
      return new Response('x');
    };
    await expect(read('https://example.org/a.csv', network, { signal: cancelling.signal })).rejects.toThrow('enough');
  });
});

/** Downloads reach public addresses only, whatever the URL looks like, and end within their bounds. */
import { readFileSync } from 'node:fs';
import type { lookup as dnsLookup } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../../edge/addresses.ts';
import { download, type DownloadOptions } from '../../edge/desk/download.ts';
import { HomeError } from '../../wasm/home.ts';

const caseFile = (name: string) => readFileSync(new URL(`../cases/${name}`, import.meta.url));
const hostileUrls = caseFile('51-urls.txt').toString().trim().split('\n');

const options = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  isAllowed: () => true,
  signal: new AbortController().signal,
  onProgress: () => {},
  ...more,
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<{ url: string; connections(): number }> {
  let connections = 0;
  const server: Server = createServer(listener);
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

async function bodyOf(url: string, more: Partial<DownloadOptions> = {}): Promise<string> {
  const { body } = await download(url, options(more));
  const parts: Uint8Array[] = [];
  for await (const chunk of body) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function refusal(work: Promise<unknown>): Promise<HomeError> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(HomeError);
  return error as HomeError;
}

/** A resolver that answers one name with these addresses. */
const resolverOf = (...addresses: string[]): typeof dnsLookup =>
  ((_name: string, _options: object, callback: (error: null, addresses: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof dnsLookup;

describe('a hostile URL', () => {
  test.each(hostileUrls)('%s is refused', async (url) => {
    const { answer } = await refusal(download(url, options({ isAllowed: isPublicAddress })));
    expect(answer.error).toBe('url_refused');
  });

  test('is refused before any connection, with the same words for open and closed ports', async () => {
    const open = await serve((_request, response) => response.end('secret'));
    const port = Number(new URL(open.url).port);
    const forms = [
      `http://127.0.0.1:${port}/`,
      `http://127.1:${port}/`,
      `http://2130706433:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://localhost:${port}/`,
    ];
    const messages = new Set<string>();
    for (const url of [...forms, 'http://127.0.0.1:1/']) {
      messages.add((await refusal(download(url, options({ isAllowed: isPublicAddress })))).message);
    }
    expect(messages.size).toBe(1);
    expect(open.connections()).toBe(0);
  });

  test('is refused when its name has a private address beside a public one', async () => {
    const lookup = resolverOf('93.184.216.34', '127.0.0.1');
    expect(
      (await refusal(download('http://mixed.example/', options({ isAllowed: isPublicAddress, lookup })))).answer.error,
    ).toBe('url_refused');
  });

  test('is refused at the redirect that leads inside, and the hop is not connected to', async () => {
    const inside = await serve((_request, response) => response.end('secret'), '127.0.0.2');
    const front = await serve((request, response) => {
      response.writeHead(302, { location: request.url === '/file' ? 'file:///etc/passwd' : inside.url }).end();
    });
    const isAllowed = (address: string) => address === '127.0.0.1';
    expect((await refusal(download(front.url, options({ isAllowed })))).answer.error).toBe('url_refused');
    expect((await refusal(download(`${front.url}/file`, options()))).answer.error).toBe('url_refused');
    expect(inside.connections()).toBe(0);
  });
});

describe('an address', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::5'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ...[
      '0.1.2.3',
      '10.1.1.1',
      '100.64.0.1',
      '127.8.8.8',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.0.2.1',
    ],
    ...[
      '198.18.0.1',
      '203.0.113.9',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      'fe80::1',
      'fc00::1',
    ],
    ...['fd12::1', 'ff02::1', '2001:db8::1', '2002:7f00:1::', '2001:0:1::', 'localhost', ''],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a download', () => {
  test('follows redirects and tells where it ended', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b.csv' }).end();
      else response.writeHead(200, { 'content-type': 'text/csv' }).end('v\n1\n');
    });
    const { url, contentType } = await download(`${server.url}/a`, options());
    expect({ url, contentType }).toEqual({ url: `${server.url}/b.csv`, contentType: 'text/csv' });
  });

  test('gives up a ring of redirects', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect((await refusal(download(server.url, options()))).message).toMatch(/redirects more than 5 times/);
  });

  test('undoes the content encoding gzip', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('v\n10\n20\n30\n')),
    );
    expect(await bodyOf(server.url)).toBe('v\n10\n20\n30\n');
  });

  test('tells an incomplete gzip body from a whole one', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(caseFile('20d-truncated.csv.gz')),
    );
    expect((await refusal(bodyOf(server.url))).message).toMatch(/incomplete/);
  });

  test('tells a body that broke off from a whole one', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('v\n1\n');
      setTimeout(() => response.destroy(), 20);
    });
    expect((await refusal(bodyOf(server.url))).answer.error).toBe('download_failed');
  });

  test('ends an endless body at its size bound, also one that only unpacks to it', async () => {
    const endless = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const bomb = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000_000))),
    );
    for (const { url } of [endless, bomb]) {
      expect((await refusal(bodyOf(url, { bytesMax: 1_000_000 }))).answer.error).toBe('too_large');
    }
  });

  test('ends a body that takes too long at its time bound', async () => {
    const slow = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await refusal(bodyOf(slow.url, { msMax: 200 }))).answer.error).toBe('time_limit');
  });

  test('reports progress with the total when it is known', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-length': '4' }).end('v\n1\n'),
    );
    const seen: unknown[] = [];
    await bodyOf(server.url, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ done: 4, total: 4, what: 'downloading' });
  });

  test('names the status when the server has no file', async () => {
    const server = await serve((_request, response) => response.writeHead(404).end());
    expect((await refusal(download(server.url, options()))).message).toMatch(/answered 404/);
  });
});

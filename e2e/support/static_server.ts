/** A plain static host on the loopback address, as any that pages may lie on: no headers of ours, no isolation. */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.gz': 'application/gzip',
  '.svg': 'image/svg+xml',
};

export interface StaticServer {
  origin: string;
  /** What was asked for, in order. */
  requests: string[];
  close(): Promise<void>;
}

export interface StaticOptions {
  hostname?: string;
  port?: number;
  /** Paths without a file answer this page, as hosts of single-page apps do. */
  fallback?: string;
  /** Answers ranges of files, as most hosts do. */
  ranges?: boolean;
}

export async function serveStatic(
  folder: string,
  { hostname = '127.0.0.1', port = 0, fallback, ranges = false }: StaticOptions = {},
): Promise<StaticServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname));
    requests.push(path);
    void send(path.endsWith('/') ? `${path}index.html` : path);

    async function send(wanted: string): Promise<void> {
      const bytes = await readFile(join(folder, wanted)).catch(() => undefined);
      if (bytes) {
        const immutable = wanted.startsWith('/assets/');
        const [, first, last] = (ranges && /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')) || [];
        const part = first === undefined ? bytes : bytes.subarray(Number(first), last ? Number(last) + 1 : undefined);
        response.writeHead(first === undefined ? 200 : 206, {
          ...(ranges ? { 'accept-ranges': 'bytes', 'content-length': part.length } : {}),
          'content-type': types[extname(wanted)] ?? 'application/octet-stream',
          'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        });
        response.end(request.method === 'HEAD' ? undefined : part);
      } else if (fallback !== undefined && wanted !== fallback && extname(wanted) === '') {
        await send(fallback);
      } else {
        response.writeHead(404).end();
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves the files of vega-datasets on loopback, as a site on the web would. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const dataFolder = fileURLToPath(new URL('../../node_modules/vega-datasets/data/', import.meta.url));

/** A server on a free port; `url(name)` is a file's address. */
export async function serveData(): Promise<{ url(name: string): string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const file = join(dataFolder, basename(request.url ?? ''));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-length': statSync(file).size });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

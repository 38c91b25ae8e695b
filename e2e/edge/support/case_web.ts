/** The web of a case, as a server on this machine: each of its URLs, with the origin alone exchanged for the server's. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../wasm/instance.ts';
import { bytesOf, type WebFile } from '../../../tests/ts/support/steps.ts';

const origin = 'https://files.example';

export interface CaseWeb {
  /** Arguments that name the server wherever they named the case's web. */
  localized(args: JsonObject): JsonObject;
  close(): Promise<void>;
}

export async function serveCase(files: Record<string, WebFile>): Promise<CaseWeb> {
  const server = createServer((request, response) => {
    const file = files[origin + decodeURI(request.url ?? '/')];
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.content_type ?? 'application/octet-stream' }).end(bytesOf(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    localized: (args) => JSON.parse(JSON.stringify(args).replaceAll(origin, local)) as JsonObject,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

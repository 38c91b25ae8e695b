/** import_table at the edge, where the internet is a proxy of this test: whom it reaches, whom it never does, and what it takes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const state = temporaryFolder(afterAll);
/** Every address that was asked for. */
const asked: string[] = [];
const redirects: Record<string, string> = {
  '/elsewhere': 'https://other.example/birds.csv',
  '/relative': 'birds.csv',
  '/ring': 'http://data.example/ring',
  '/file': 'file:///etc/passwd',
  '/login': 'http://user:secret@data.example/birds.csv',
};
let edge: LocalEdge;
let client: Client;

// A proxy is asked for whole addresses, and workerd sends it no Host beside them.
const internet = createServer({ requireHostHeader: false }, (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '', 'http://no-address.example');
  asked.push(`${url.host}${url.pathname}${url.search}`);
  const location = url.pathname === '/to' ? url.searchParams.get('where') : redirects[url.pathname];
  if (location) response.writeHead(302, { location }).end();
  else if (url.pathname === '/huge.csv') response.writeHead(200, { 'content-length': String(2 ** 40) }).flushHeaders();
  else if (url.pathname === '/birds.csv') response.end('name,n\nTern,3\nGannet,5\n');
  else response.writeHead(404).end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => internet.listen(0, '127.0.0.1', resolve));
  edge = await LocalEdge.start({ state, internet: (internet.address() as AddressInfo).port });
  const owner = await Owner.setUp(edge);
  client = await connect(`${edge.origin}/mcp`, await owner.createToken());
});
afterAll(async () => {
  await client?.close();
  await edge?.kill();
  internet.closeAllConnections();
  internet.close();
});
beforeEach(() => void asked.splice(0));

async function importFrom(sourceUrl: string): Promise<Record<string, unknown>> {
  const args = { table: 'birds', source_url: sourceUrl, mode: 'replace' };
  return (await client.callTool({ name: 'import_table', arguments: args })).structuredContent as Record<
    string,
    unknown
  >;
}

test.each([
  ['a public address', 'http://data.example/birds.csv', 'data.example'],
  ['a redirect to another', 'http://data.example/elsewhere', 'other.example'],
  ['a redirect beside it', 'http://data.example/relative', 'data.example'],
])('%s is read', async (_what, url, host) => {
  expect(await importFrom(url)).toMatchObject({ table: 'birds', rows: 2 });
  expect(asked.at(-1)).toBe(`${host}/birds.csv`);
});

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost/',
  'http://router/',
  'http://db.internal/',
  'http://db.internal./',
])('%s is refused, also behind a redirect, and never asked', async (inside) => {
  expect(await importFrom(inside)).toMatchObject({ error: 'url_refused' });
  expect(asked).toEqual([]);
  expect(await importFrom(`http://data.example/to?where=${encodeURIComponent(inside)}`)).toMatchObject({
    error: 'url_refused',
  });
  expect(asked).toHaveLength(1);
});

test.each([
  ['to a file', '/file', 'url_refused', 1],
  ['that carries a password', '/login', 'url_refused', 1],
  ['in a ring', '/ring', 'download_failed', 6],
])('a redirect %s is refused', async (_what, path, error, requests) => {
  expect(await importFrom(`http://data.example${path}`)).toMatchObject({ error });
  expect(asked).toHaveLength(requests);
});

test('a file that says it is larger than an object can take is refused before it is read', async () => {
  expect(await importFrom('http://data.example/huge.csv')).toMatchObject({ error: 'too_large' });
});

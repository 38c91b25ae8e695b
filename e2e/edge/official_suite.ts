/**
 * Runs the official conformance suite against a local edge: `node e2e/edge/official_suite.ts FOLDER`, where the suite is
 * installed in FOLDER as docs/mcp.md says. The server scenarios send no token, so a proxy adds one; the authorization
 * scenarios want a person at the consent page, whom this plays.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setup } from './support/global_setup.ts';
import { LocalEdge } from './support/local_edge.ts';
import { consent } from './support/oauth_client.ts';
import { Owner } from './support/owner.ts';

const callbackPort = 33419;
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node e2e/edge/official_suite.ts FOLDER');
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Passes everything on with the token and the edge's name in place of its own; a foreign Host or Origin stays as it is. */
async function proxyWithToken(edge: LocalEdge, token: string): Promise<Server> {
  const { port } = new URL(edge.origin);
  const server = createServer((asked, answer) => {
    const own = `localhost:${(server.address() as AddressInfo).port}`;
    const host = asked.headers.host === own ? `localhost:${port}` : asked.headers.host;
    const headers = { ...asked.headers, host, authorization: `Bearer ${token}` };
    const passed = request({ host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.once('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Runs one command of the suite; `onText` hears what it prints. */
function run(args: string[], onText: (text: string) => void = () => {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      onText(text);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function registerClient(edge: LocalEdge): Promise<string> {
  const response = await fetch(`${edge.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'conformance',
      redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

async function authorization(edge: LocalEdge, owner: Owner): Promise<void> {
  const clientId = await registerClient(edge);
  let isAllowed = false;
  const args = [
    '--url',
    edge.origin,
    '--client-id',
    clientId,
    '--port',
    String(callbackPort),
    '--resource',
    edge.origin,
  ];
  await run(['authorization', ...args], (text) => {
    const url = /^http\S+\/authorize\?\S+$/m.exec(text)?.[0];
    if (url === undefined || isAllowed) return;
    isAllowed = true;
    void consent(owner, new URL(url)).then((to) => fetch(to));
  });
}

await setup();
const state = mkdtempSync(join(tmpdir(), 'stele-official-'));
const edge = await LocalEdge.start({ state });
try {
  const owner = await Owner.setUp(edge);
  const proxy = await proxyWithToken(edge, await owner.createToken());
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
  for (const revision of ['2025-11-25', '2026-07-28']) {
    console.log(`\n== server, ${revision}`);
    await run(['server', '--url', url, '--requirements', revision]);
  }
  console.log('\n== authorization');
  await authorization(edge, owner);
  proxy.closeAllConnections();
  proxy.close();
} finally {
  await edge.kill();
  rmSync(state, { recursive: true, force: true });
}

/** What `npm run edge:dev` starts: the Worker behind the assets that Cloudflare's own runtime serves, not a folder as is. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { freePort } from './support/local_edge.ts';

const command = fileURLToPath(new URL('../../edge/operate/dev.ts', import.meta.url));
const state = temporaryFolder(afterAll);

/** Answers what was printed once it serves; it ends with the test. */
async function start(port: number): Promise<string> {
  const running = spawn(process.execPath, [command, '--port', String(port), '--state', state]);
  const closed = new Promise((resolve) => running.once('close', resolve));
  onTestFinished(async () => {
    running.kill('SIGTERM');
    await closed;
  });
  let printed = '';
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const until = Date.now() + 100_000;
  while (!printed.includes('Ready on')) {
    if (running.exitCode !== null || Date.now() > until) throw new Error(`edge:dev did not start:\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return printed;
}

test('edge:dev prints a set-up link and serves pages, their files and the frame of receipts', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  expect(await start(port)).toContain(`Set-up link, once: ${origin}/setup#`);
  const get = (path: string) => fetch(`${origin}${path}`, { redirect: 'manual' });
  expect(await (await get('/health')).json()).toEqual({ ok: true, owner: false });
  expect((await get('/setup')).status).toBe(200);
  for (const [path, type] of [
    ['/assets/stele.css', 'text/css'],
    ['/assets/embed.js', 'text/javascript'],
    ['/receipt_view.html', 'text/html'],
  ] as const) {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'self'");
  }
  expect((await get('/receipt_view')).status).toBe(404);
});

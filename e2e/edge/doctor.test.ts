/** `stele doctor URL` against a real edge: what it finds before and after the owner's passkey is made, and with a token. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const command = fileURLToPath(new URL('../../edge/desk/stele.ts', import.meta.url));
const state = temporaryFolder(afterAll);
let edge: LocalEdge;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
});
afterAll(() => edge.kill());

function doctor(url: string, token?: string): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...(token === undefined ? {} : { STELE_TOKEN: token }) };
    const child = spawn(process.execPath, [command, 'doctor', url], { env });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.once('close', (code) => resolve({ code, out }));
  });
}

const wrongOf = (out: string) => [...out.matchAll(/^WRONG +(\w[\w ]*?)  /gm)].map(([, about]) => about);

test('without an owner the set-up link is what is missing', async () => {
  const { code, out } = await doctor(edge.origin);
  expect(wrongOf(out)).toEqual(['Owner']);
  expect(out).toContain('edge:setup-link');
  expect(code).toBe(1);
});

test('set up, all is well, and so is a token of the owner’s', async () => {
  const owner = await Owner.setUp(edge);
  expect(await doctor(edge.origin)).toMatchObject({ code: 0, out: expect.not.stringContaining('WRONG') });
  const { code, out } = await doctor(edge.origin, await owner.createToken());
  expect(out).toMatch(/^ok +Token/m);
  expect(code).toBe(0);
});

test('a token that does not serve is told apart', async () => {
  expect(wrongOf((await doctor(edge.origin, 'stele_x_y')).out)).toEqual(['Token']);
});

test('an address that is not the deployment’s own is told from it', async () => {
  const { out } = await doctor(edge.origin.replace('localhost', '127.0.0.1'));
  expect(wrongOf(out)).toEqual(['Connection', 'OAuth', 'Resource', 'MCP']);
});

test('nobody at the address is one finding, not many', async () => {
  await edge.kill();
  expect(wrongOf((await doctor(edge.origin)).out)).toEqual(['Answers']);
});

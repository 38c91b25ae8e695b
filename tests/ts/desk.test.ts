/** The desk around its core: pages, the link for commands, the key, what goes to terminals. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRunning } from '../../edge/desk/cli_link.ts';
import { formatRows } from '../../edge/desk/commands/output.ts';
import { html } from '../../wasm/html.ts';
import { deskCaller, startServer } from '../../edge/desk/server.ts';
import { SigningKey } from '../../edge/desk/signing.ts';
import { parseExactJson } from '../../wasm/exact_json.ts';
import { ScriptedCore } from './support/scripted_core.ts';
import { temporaryFolder } from './support/temporary.ts';

async function running() {
  const storeFile = join(temporaryFolder(), 'store.sqlite');
  const core = new ScriptedCore();
  const server = await startServer({ core, storeFile, port: 0, onError: () => {} });
  onTestFinished(() => server.close());
  return { core, server, storeFile };
}

describe('a page', () => {
  test('that is not there answers 404, also a share that never was', async () => {
    const { server } = await running();
    for (const path of [
      '/nowhere',
      '/s/unknown',
      '/s/unknown/rows',
      '/r/unknown.json',
      '/assets/../server.ts',
      '/s/unknown/other',
    ]) {
      expect((await fetch(server.origin + path)).status, path).toBe(404);
    }
  });

  test('runs no script but its own, and is kept by no cache', async () => {
    const { server } = await running();
    const response = await fetch(`${server.origin}/r/known`);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain('<script type="module" src="/assets/receipt.js">');
    for (const asset of ['tokens.css', 'base.css', 'stele.css', 'receipt.js'])
      expect((await fetch(`${server.origin}/assets/${asset}`)).status).toBe(200);
  });

  test('of a receipt gets its document', async () => {
    const { server } = await running();
    expect(await (await fetch(`${server.origin}/r/known.json`)).json()).toEqual({
      id: 'known',
      document: '{}',
      digest: '',
    });
  });

  test('takes no writes', async () => {
    const { server } = await running();
    expect((await fetch(server.origin, { method: 'DELETE' })).status).toBe(405);
  });

  test('shows values as text', () => {
    expect(html`<p title="${'"'}">${'<script>'}${['a'].map((item) => html`<b>${item}&</b>`)}${null}</p>`.text).toBe(
      '<p title="&quot;">&lt;script&gt;<b>a&</b></p>',
    );
  });
});

describe('the link for commands', () => {
  test('finds the running desk and calls its tools, with progress and cancelling', async () => {
    const { core, storeFile, server } = await running();
    const desk = await findRunning(storeFile);
    const caller = deskCaller('stele command', server.origin);
    expect(await desk!.call('echo', { a: 1 }, caller)).toEqual({ value: { a: 1 }, isError: false });
    const cancelling = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ done }: { done: number }) => {
      seen.push(done);
      if (done === 3) cancelling.abort();
    };
    expect((await desk!.call('slow', {}, caller, { signal: cancelling.signal, onProgress })).value.error).toBe(
      'cancelled',
    );
    await expect.poll(() => core.cancelled).toEqual(['slow']);
    expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
  });

  test('is for the owner alone', async () => {
    const { storeFile } = await running();
    expect(statSync(`${storeFile}.server.json`).mode & 0o777).toBe(0o600);
  });

  test('notices a file that a killed desk left behind', async () => {
    const storeFile = join(temporaryFolder(), 'store.sqlite');
    expect(await findRunning(storeFile)).toBeUndefined();
    // Alive, but it serves nothing there.
    writeFileSync(
      `${storeFile}.server.json`,
      JSON.stringify({ url: 'http://127.0.0.1:9', pid: process.pid, token: 'x' }),
    );
    expect(await findRunning(storeFile)).toBeUndefined();
  });
});

describe('the workspace’s key', () => {
  test('is made once, for its owner alone, and signs what anyone can check', async () => {
    const file = join(temporaryFolder(), 'store.key');
    const first = await new SigningKey(file).sign('abc');
    const second = await new SigningKey(file).sign('abc');
    expect(second).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(first.signature as string);
    const key = await crypto.subtle.importKey(
      'raw',
      Buffer.from(first.public_key as string, 'base64url'),
      'Ed25519',
      false,
      ['verify'],
    );
    const signature = Buffer.from(first.signature as string, 'base64url');
    expect(await crypto.subtle.verify('Ed25519', key, signature, new TextEncoder().encode('abc'))).toBe(true);
    expect(await crypto.subtle.verify('Ed25519', key, signature, new TextEncoder().encode('abd'))).toBe(false);
  });
});

describe('rows on a terminal', () => {
  const columns = [
    { name: 'name', type: 'VARCHAR' },
    { name: 'n', type: 'BIGINT' },
  ];

  test('are aligned, numbers to the right, without control characters', () => {
    const rows = [
      ['a\u001b[2Jb', 7],
      [null, 12000],
    ];
    expect(formatRows({ columns, rows }, 'table')).toBe(
      'name             n\n───────────  ─────\na\\u001b[2Jb      7\n∅            12000\n',
    );
  });

  test('as CSV tell null from empty text and quote what must be', () => {
    const rows = [
      ['', null],
      ['say "hi", twice\n', 1.5],
    ];
    expect(formatRows({ columns, rows }, 'csv')).toBe('name,n\r\n"",\r\n"say ""hi"", twice\n",1.5\r\n');
  });
});

describe('JSON from outside', () => {
  test.each([
    ['{"a":9007199254740993,"b":-9007199254740993}', { a: '9007199254740993', b: '-9007199254740993' }],
    ['[9007199254740991,1e21,0.1234567890123456789]', [9007199254740991, 1e21, 0.12345678901234568]],
    ['{"s":"9007199254740993"}', { s: '9007199254740993' }],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
  ])('%s keeps its digits', (text, value) => expect(parseExactJson(text)).toEqual(value));
});

/** The `stele` command as a person and as an agent's client uses it, each run a process of its own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parquetReadObjects } from 'hyparquet';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './support/temporary.ts';

const command = fileURLToPath(new URL('../../edge/desk/stele.ts', import.meta.url));
const timeout = 60_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'store.sqlite');
});

interface Ended {
  code: number;
  out: string;
  err: string;
}

function stele(args: string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...args, '--file', file]);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('close', (code) => resolve({ code: code ?? -1, out, err }));
    child.stdin.end(input);
  });
}

async function writeBirds(): Promise<void> {
  const args = JSON.stringify({
    table: 'birds',
    rows: [
      { name: 'Tern', n: 3 },
      { name: 'Gannet', n: 5 },
    ],
  });
  expect(await stele(['call', 'write_table', args])).toMatchObject({ code: 0, err: '' });
}

/** A `stele serve` that is stopped with the test. Answers its address. */
async function serve(): Promise<string> {
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--file', file]);
  // Heard from the start: a test may have killed it long before it ends.
  const closed = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  let out = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    out += text;
    const address = /^Stele +(\S+)$/m.exec(out)?.[1];
    if (address && out.includes('Stop with')) return address;
  }
  throw new Error(`stele serve ended: ${out}`);
}

describe('a command', () => {
  test('prints what it is for', { timeout }, async () => {
    expect((await stele(['--help'])).out).toContain('stele COMMAND');
    expect((await stele(['import', '--help'])).out).toContain('--sheet NAME');
    expect(await stele(['quer'])).toMatchObject({
      code: 2,
      err: 'There is no command quer.\nstele --help tells more.\n',
    });
    expect(await stele(['query', 'SELECT 1', '--format', 'xml'])).toMatchObject({ code: 2 });
  });

  test('looks after the set-up, and changes nothing', { timeout }, async () => {
    expect(await stele(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('not there yet') });
    expect(existsSync(file)).toBe(false);
    await writeBirds();
    expect(await stele(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('one table') });
    writeFileSync(file, 'no database at all');
    writeFileSync(`${file}.key`, '{}', { mode: 0o644 });
    const { code, out } = await stele(['doctor']);
    expect(code).toBe(1);
    expect(out).toMatch(/^WRONG +Store/m);
    expect(out).toMatch(/^WRONG +Signing key .*\n +→ chmod 600/m);
  });

  test('calls tools and exits with 1 for an error', { timeout }, async () => {
    await writeBirds();
    const listed = await stele(['call', 'list_tables']);
    expect(JSON.parse(listed.out)).toMatchObject({ tables: [{ path: 'birds', rows: 2 }] });
    const missing = await stele(['call', 'describe_table', '-'], '{"table":"bird"}');
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.out)).toMatchObject({
      error: 'unknown_table',
      hint: expect.stringContaining('birds') as string,
    });
    expect((await stele(['call', 'list_tables', '[1]'])).err).toContain('must be a JSON object');
  });

  test('lists the eleven tools', { timeout }, async () => {
    const { tools } = JSON.parse((await stele(['tools'])).out) as { tools: { name: string }[] };
    expect(tools).toHaveLength(11);
  });

  test('imports a file and queries it in each format', { timeout }, async () => {
    const csv = join(folder, 'zip.csv');
    writeFileSync(csv, 'zip,qty\n00501,3\n02134,10\n');
    expect(await stele(['import', 'codes', csv])).toMatchObject({ code: 0 });
    const sql = 'SELECT zip, qty FROM "codes" ORDER BY qty';
    expect((await stele(['query', sql, '--format', 'csv'])).out).toBe('zip,qty\r\n00501,3\r\n02134,10\r\n');
    expect((await stele(['query', sql, '--format', 'table'])).out).toBe(
      'zip    qty\n─────  ───\n00501    3\n02134   10\n',
    );
    expect(JSON.parse((await stele(['query', sql])).out)).toMatchObject({
      rows: [
        ['00501', 3],
        ['02134', 10],
      ],
    });
    expect(await stele(['import', 'codes', join(folder, 'no.csv')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no file') as string,
    });
  });

  test('imports a sheet of a workbook', { timeout }, async () => {
    const workbook = fileURLToPath(new URL('../cases/32-hidden-first-sheet.xlsx', import.meta.url));
    const { code, out } = await stele(['import', 'sales', workbook]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('macro data') as string });
    expect(JSON.parse((await stele(['query', 'SELECT * FROM "sales"'])).out)).toMatchObject({
      rows: [
        ['North', 10],
        ['South', 12],
      ],
    });
  });

  test('looks at a file and imports it as told', { timeout }, async () => {
    const csv = join(folder, 'told.csv');
    writeFileSync(csv, 'of 2025\nid;price\n1;2,5\n2;NA\n');
    const how = ['--skip-rows', '1', '--delimiter', ';', '--header', 'yes', '--null-values', 'NA,-', '--decimal-comma'];
    const looked = await stele(['inspect', csv, ...how]);
    expect({ err: looked.err, code: looked.code }).toEqual({ err: '', code: 0 });
    expect(JSON.parse(looked.out)).toMatchObject({
      row_count: 2,
      columns: [{ name: 'id' }, { name: 'price', type: 'DOUBLE', nulls: 1 }],
    });
    expect((await stele(['query', 'SELECT * FROM "told"'])).code).toBe(1);
    expect(await stele(['import', 'told', csv, ...how])).toMatchObject({ code: 0 });
    expect(JSON.parse((await stele(['query', 'SELECT price FROM "told"'])).out)).toMatchObject({
      rows: [[2.5], [null]],
    });
    expect(await stele(['inspect', csv, '--header', 'maybe'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--header is one of yes, no') as string,
    });
  });

  test('leaves out malformed rows when their number is given', { timeout }, async () => {
    const lines = join(folder, 'broken.ndjson');
    writeFileSync(lines, '{"a":1}\n{"a":2} oops\n{"a":3}\n');
    expect(await stele(['import', 'broken', lines])).toMatchObject({ code: 1 });
    const { out } = await stele(['import', 'broken', lines, '--malformed-rows-to-skip', '1']);
    expect(JSON.parse(out)).toMatchObject({ rows_read: 3, rows_stored: 2, rows_skipped: 1 });
  });

  test('of an agent may not read local files', { timeout }, async () => {
    const secret = join(folder, 'secret.csv');
    writeFileSync(secret, 'a\nplanted\n');
    const args = JSON.stringify({ table: 't', source_url: `file://${secret}` });
    const { code, out } = await stele(['call', 'import_table', args]);
    expect(code).toBe(1);
    expect(out).not.toContain('planted');
  });
});

describe('a desk that serves', () => {
  test('lets other commands in, and serves pages, shares and receipts', { timeout: 120_000 }, async () => {
    const origin = await serve();
    await writeBirds();
    expect(await stele(['serve'])).toMatchObject({ code: 1, err: expect.stringContaining(origin) as string });
    expect(await (await fetch(origin)).text()).toContain('birds');
    const page = await (await fetch(`${origin}/t/birds`)).text();
    expect(page).toContain('Gannet');
    expect(page).toContain('Version 1');

    const shared = JSON.parse((await stele(['call', 'share_table', '{"table":"birds"}'])).out) as {
      url: string;
      api_url: string;
    };
    expect(await (await fetch(shared.api_url)).json()).toMatchObject({
      rows: [
        ['Tern', 3],
        ['Gannet', 5],
      ],
    });
    expect(await (await fetch(shared.url)).text()).toContain('Tern');
    expect(await stele(['unshare', 'birds'])).toMatchObject({ code: 0 });
    for (const url of [shared.url, shared.api_url]) expect((await fetch(url)).status).toBe(404);

    const asked = JSON.parse(
      (await stele(['call', 'query', '{"sql":"SELECT count(*) AS n FROM \\"birds\\"","receipt":true}'])).out,
    ) as {
      receipt: { id: string; signed_by: string };
    };
    const receipt = (await (await fetch(`${origin}/r/${asked.receipt.id}.json`)).json()) as Record<string, string>;
    const key = await crypto.subtle.importKey('raw', Buffer.from(receipt.public_key!, 'base64url'), 'Ed25519', false, [
      'verify',
    ]);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(receipt.document!))).toString('hex');
    expect(receipt.digest).toBe(digest);
    expect(
      await crypto.subtle.verify('Ed25519', key, Buffer.from(receipt.signature!, 'base64url'), Buffer.from(digest)),
    ).toBe(true);
  });

  test('keeps what it was told when it is killed', { timeout: 120_000 }, async () => {
    await serve();
    await writeBirds();
    const { pid } = JSON.parse(readFileSync(`${file}.server.json`, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    expect(JSON.parse((await stele(['query', 'SELECT count(*) FROM "birds"'])).out)).toMatchObject({ rows: [[2]] });
  });
});

describe.each([
  { era: '2025', mode: 'legacy' },
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const)('an agent of $era on standard input and output', ({ mode }) => {
  test('works with tables, and digits keep', { timeout }, async () => {
    const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [command, 'mcp', '--file', file] }),
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(11);
    await client.callTool({ name: 'write_table', arguments: { table: 'ids', rows: [{ id: '9007199254740993' }] } });
    const { structuredContent } = await client.callTool({ name: 'query', arguments: { sql: 'SELECT id FROM "ids"' } });
    expect(structuredContent).toMatchObject({ rows: [['9007199254740993']] });
    expect(await stele(['query', 'SELECT count(*) FROM "ids"'])).toMatchObject({ code: 0 });
  });
});

describe('bundle', () => {
  const written = async (target: string) => {
    const file = new Uint8Array(readFileSync(join(target, 'birds.parquet'))).buffer;
    return parquetReadObjects({ file });
  };

  test('writes a table, or a version of it, as a folder, and again over its own', { timeout: 120_000 }, async () => {
    await writeBirds();
    const target = join(folder, 'public', 'birds');
    const done = await stele(['bundle', 'birds', target]);
    expect(done).toEqual({ code: 0, out: `${target} has birds, version 1, for any static host.\n`, err: '' });
    expect(readdirSync(target).sort()).toEqual(['README.md', 'birds.parquet', 'embed', 'index.html', 'page.css']);
    expect(readdirSync(join(target, 'embed'))).toContain('embed.js');
    expect(readFileSync(join(target, 'index.html'), 'utf8')).toContain('<td class="text">Gannet</td>');
    await serve();
    await stele(['call', 'write_table', '{"table": "birds", "mode": "append", "rows": [{"name": "Skua", "n": 1}]}']);
    expect((await stele(['bundle', 'birds', target])).out).toContain('version 2');
    expect(await written(target)).toEqual([
      { name: 'Tern', n: 3n },
      { name: 'Gannet', n: 5n },
      { name: 'Skua', n: 1n },
    ]);
    expect((await stele(['bundle', 'birds@1', target])).out).toContain('version 1');
    expect(await written(target)).toHaveLength(2);
  });

  test(
    'writes nothing where there is no such table, and over nothing of anyone else',
    { timeout: 120_000 },
    async () => {
      await writeBirds();
      const target = join(folder, 'site');
      const unknown = await stele(['bundle', 'fish', target]);
      expect([unknown.code, existsSync(target)]).toEqual([1, false]);
      expect(unknown.err).toContain('fish');
      expect((await stele(['bundle', 'birds@7', target])).code).toBe(1);
      expect(existsSync(target)).toBe(false);
      mkdirSync(target);
      writeFileSync(join(target, 'notes.txt'), 'mine');
      const refused = await stele(['bundle', 'birds', target]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('holds notes.txt')]);
      expect(readdirSync(target)).toEqual(['notes.txt']);
    },
  );
});

test('of two agents on one store the second goes on when the first has left', { timeout: 120_000 }, async () => {
  const connect = async () => {
    const client = new Client({ name: 'tester', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [command, 'mcp', '--file', file] }),
    );
    return client;
  };
  const first = await connect();
  const second = await connect();
  onTestFinished(() => second.close());
  await first.callTool({ name: 'write_table', arguments: { table: 'notes', rows: [{ n: 1 }] } });
  const read = async () =>
    (await second.callTool({ name: 'query', arguments: { sql: 'SELECT n FROM "notes"' } })).structuredContent;
  expect(await read()).toMatchObject({ rows: [[1]] });
  await first.close();
  expect(await read()).toMatchObject({ rows: [[1]] });
});

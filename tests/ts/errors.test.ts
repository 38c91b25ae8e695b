/**
 * An error of every kind, met as an owner meets it: by `stele call`, against files on a server of this test. Each says what
 * to do, exits with 1, and leaves every table as it was. docs/errors.md lists the kinds; both lists are held together here.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './support/temporary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = join(root, 'edge', 'desk', 'stele.ts');
const timeout = 60_000;

const rows = [
  { id: 1, name: 'Tern' },
  { id: 2, name: 'Gannet' },
];

/** What the test's server answers, by name. */
const files: Record<string, string | Buffer> = {
  'page.csv': '<!doctype html><html><body>Please sign in</body></html>',
  'nothing.csv': '',
  'binary.dat': Buffer.from([0, 1, 2, 3, 0, 255, 254, 0, 7, 0, 0, 9]),
  'half.csv': Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x2c]),
  'lists.json': '{"cats": [{"a": 1}], "dogs": [{"a": 2}]}',
  'list.json': '[{"a": 1}]',
  'empty.json': '[]',
  'cut.json': '{"data": [{"a": 1}, {"a"',
  'unclosed.csv': 'a,b\n1,2\n"3,4\n5,6\n',
  'header.csv': '"a,b,c\n1,2,3\n4,5,6\n',
  'quotes.csv': `a,b\n${'"x,1\n'.repeat(3)}${`${'y'.repeat(1 << 20)},`.repeat(33)}`,
  'wide.csv': `${Array.from({ length: 20_000 }, (_, i) => `c${i}`).join(',')}\n`,
  'broken.parquet': `PAR1${'x'.repeat(64)}PAR1`,
  'broken.gz': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255, 9, 9, 9, 9, 9, 9, 9, 9]),
  'cut.gz': gzipSync(`a,b\n${'1,2\n'.repeat(10_000)}`).subarray(0, 60),
  'not.xlsx': 'PK\x03\x04 no workbook at all',
  'sheets.xlsx': readFileSync(globSync(join(root, 'tests/cases/**/*.xlsx'))[0] ?? ''),
};

interface Trigger {
  kind: string;
  tool: string;
  args: object;
}

const write = (more: object) => ({ table: 'birds', rows, ...more });
const file = (name: string, more: object = {}) => ({ table: 'new/table', source_url: `FILES/${name}`, ...more });
const sql = (text: string, more: object = {}) => ({ sql: text, ...more });

const triggers: Trigger[] = [
  { kind: 'ambiguous_rows', tool: 'import_table', args: file('lists.json') },
  {
    kind: 'cancelled',
    tool: 'query',
    args: sql('SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b'),
  },
  { kind: 'column_conflict', tool: 'write_table', args: write({ mode: 'append', rows: [{ id: 'three' }] }) },
  {
    kind: 'description_too_long',
    tool: 'update_table_info',
    args: { table: 'birds', description: 'x'.repeat(200_000) },
  },
  { kind: 'download_failed', tool: 'import_table', args: file('missing.csv') },
  { kind: 'empty_file', tool: 'import_table', args: file('nothing.csv') },
  { kind: 'idempotency_conflict', tool: 'write_table', args: write({ mode: 'append', idempotency_key: 'first' }) },
  { kind: 'incomplete_gzip', tool: 'import_table', args: file('cut.gz') },
  { kind: 'invalid_arguments', tool: 'list_tables', args: { limit: 0 } },
  { kind: 'invalid_encoding', tool: 'import_table', args: file('half.csv') },
  { kind: 'invalid_gzip', tool: 'import_table', args: file('broken.gz') },
  { kind: 'invalid_json', tool: 'import_table', args: file('cut.json') },
  { kind: 'invalid_parquet', tool: 'import_table', args: file('broken.parquet') },
  { kind: 'invalid_path', tool: 'write_table', args: write({ table: 'birds@2' }) },
  { kind: 'key_missing', tool: 'write_table', args: write({ mode: 'upsert', key_columns: ['ring'] }) },
  { kind: 'key_null', tool: 'write_table', args: write({ mode: 'upsert', key_columns: ['id'], rows: [{ id: null }] }) },
  {
    kind: 'key_repeated',
    tool: 'write_table',
    args: write({ mode: 'upsert', key_columns: ['id'], rows: [rows[0], rows[0]] }),
  },
  { kind: 'malformed_csv', tool: 'import_table', args: file('quotes.csv') },
  { kind: 'malformed_header', tool: 'import_table', args: file('header.csv') },
  { kind: 'malformed_rows', tool: 'import_table', args: file('unclosed.csv') },
  { kind: 'no_columns', tool: 'write_table', args: write({ table: 'new/birds', rows: [{}] }) },
  { kind: 'no_rows', tool: 'import_table', args: file('empty.json') },
  { kind: 'not_data', tool: 'import_table', args: file('page.csv') },
  { kind: 'not_xlsx', tool: 'import_table', args: file('not.xlsx') },
  { kind: 'out_of_memory', tool: 'query', args: sql('SELECT list(a.range) FROM range(300000000) a') },
  { kind: 'path_taken', tool: 'update_table_info', args: { table: 'birds', rename_to: 'fish' } },
  { kind: 'sql_error', tool: 'query', args: sql('SELECT nam FROM birds') },
  { kind: 'sql_refused', tool: 'query', args: sql("SELECT * FROM read_csv('/etc/passwd')") },
  { kind: 'table_exists', tool: 'write_table', args: write({}) },
  { kind: 'too_large', tool: 'import_table', args: file('huge.csv') },
  { kind: 'too_many_columns', tool: 'import_table', args: file('wide.csv') },
  { kind: 'unknown_column', tool: 'update_table_info', args: { table: 'birds', column_descriptions: { nam: 'x' } } },
  { kind: 'unknown_format', tool: 'import_table', args: file('binary.dat') },
  { kind: 'unknown_records_path', tool: 'import_table', args: file('list.json', { records_path: 'data' }) },
  { kind: 'unknown_sheet', tool: 'import_table', args: file('sheets.xlsx', { sheet: 'No such sheet' }) },
  { kind: 'unknown_table', tool: 'describe_table', args: { table: 'bird' } },
  { kind: 'unknown_tool', tool: 'drop_table', args: {} },
  { kind: 'unknown_version', tool: 'query', args: sql('SELECT * FROM "birds@9"') },
  { kind: 'url_refused', tool: 'import_table', args: { table: 'new/table', source_url: 'ftp://example.com/a' } },
  { kind: 'version_conflict', tool: 'write_table', args: write({ mode: 'append', expected_version: 7 }) },
];

/** What an owner's `stele call` does not meet at will: the test that does, or why none can. */
const elsewhere: Record<string, string> = {
  busy: 'tests/ts/core.test.ts',
  cors_refused: 'tests/ts/page_download.test.ts',
  damaged_backup: 'e2e/page/backup.spec.ts',
  forbidden: 'tests/scenarios/scopes.json',
  internal: 'tests/ts/core.test.ts',
  interrupted: 'needs a tab that ends within the moment in which a backup is put back',
  invalid_filter: 'tests/core/views.cpp',
  invalid_request: 'e2e/edge/shares.test.ts',
  invalid_rows: 'tests/tables/typing_test.cpp',
  invalid_staged: 'guards the border: a home names what it staged itself',
  not_a_backup: 'e2e/page/backup.spec.ts',
  not_found: 'e2e/edge/isolation.test.ts',
  not_now: 'needs a call within the moment in which a backup is made',
  rate_limit: 'e2e/edge/agents.test.ts',
  share_ended: 'e2e/share/from_page.test.ts',
  share_unavailable: 'tests/scenarios/refusals.json',
  sign_in_refused: 'e2e/edge/isolation.test.ts',
  sql_not_allowed: 'e2e/share/formats.test.ts',
  storage_damaged: 'e2e/page/handover.spec.ts',
  storage_full: 'e2e/page/quota.spec.ts',
  storage_unavailable: 'e2e/mcp/frames.spec.ts',
  storage_failed: 'tests/core/calls.cpp',
  store_busy: 'tests/store/native_sqlite_store.cpp',
  store_newer: 'tests/store/schema.cpp',
  time_limit: 'tests/ts/runaway.test.ts',
  type_refused: 'guards the store: no SELECT of this engine makes such a type today',
  unavailable: 'needs a home without a key, which no home here is',
  unknown_type: 'tests/engine/type_lattice.cpp',
  unknown_view: 'tests/core/views.cpp',
};

let folder: string;
let store: string;
let server: Server;
let address: string;
let desk: ReturnType<typeof spawn>;

interface Ended {
  code: number;
  value: Record<string, unknown>;
}

function call(tool: string, args: object, interruptAfterMs?: number, at = store): Promise<Ended> {
  const words = JSON.stringify(args).replaceAll('FILES', address);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, 'call', tool, '-', '--file', at]);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.on('close', (code, signal) => {
      // Interrupted before the command had begun: it had nothing to answer yet.
      if (interruptAfterMs && signal === 'SIGINT') return resolve(call(tool, args, 2 * interruptAfterMs, at));
      try {
        resolve({ code: code ?? -1, value: JSON.parse(out) as Ended['value'] });
      } catch {
        reject(new Error(`${tool} answered no JSON: ${out}`));
      }
    });
    child.stdin.end(words);
    if (interruptAfterMs) setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
  });
}

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  store = join(folder, 'store.sqlite');
  server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    if (name === 'huge.csv') response.writeHead(200, { 'content-length': String(2 ** 40) }).flushHeaders();
    else if (name in files) response.end(files[name]);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  desk = spawn(process.execPath, [command, 'serve', '--port', '0', '--allow-private', '--file', store]);
  for await (const text of desk.stdout!.setEncoding('utf8')) if (String(text).includes('Stop with')) break;
  await call('write_table', write({ idempotency_key: 'first' }));
  await call('write_table', { table: 'fish', rows });
}, timeout);

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  desk.kill('SIGTERM');
  await new Promise((resolve) => (desk.exitCode === null ? desk.once('close', resolve) : resolve(0)));
});

describe('stele call', () => {
  for (const { kind, tool, args } of triggers) {
    test(`answers ${kind}`, { timeout }, async () => {
      const before = await call('list_tables', {});
      const { code, value } = await call(tool, args, kind === 'cancelled' ? 500 : undefined);
      expect(value).toMatchObject({ error: kind });
      expect(code).toBe(1);
      expect(value.message).toMatch(/\S{2,}/u);
      expect(value.hint).toMatch(/\S{2,}/u);
      expect(await call('list_tables', {})).toEqual(before);
    });
  }
});

describe('docs/errors.md', () => {
  const listed = [...readFileSync(join(root, 'docs', 'errors.md'), 'utf8').matchAll(/^\| `(\w+)`/gm)].map(
    ([, kind]) => kind,
  );

  test('lists each kind that the sources throw, and no other', () => {
    const sources = ['core/**/*.{cpp,hpp}', 'wasm/**/*.{ts,cpp}', 'edge/**/*.ts', 'worker/**/*.ts', 'web/mcp/**/*.ts'];
    const thrown = sources
      .flatMap((pattern) => globSync(join(root, pattern)))
      .map((path) => readFileSync(path, 'utf8'))
      .flatMap((text) => [
        ...text.matchAll(
          /\b(?:\w*Error|Poisoned|\w*[rR]efusal|error_json)\(\s*(?:\d{3},\s*)?["']([a-z]+(?:_[a-z]+)*)["'],/g,
        ),
        ...text.matchAll(/\berror: '([a-z_]+)'/g),
      ])
      .map(([, kind]) => kind);
    expect([...new Set(listed)].sort()).toEqual([...new Set(thrown)].sort());
  });

  test('lists each kind that is met here or elsewhere', () => {
    const met = [...triggers.map(({ kind }) => kind), ...Object.keys(elsewhere)];
    expect([...listed].sort()).toEqual(met.sort());
    for (const [kind, where] of Object.entries(elsewhere))
      if (where.includes('/')) expect(readFileSync(join(root, where), 'utf8'), `${kind} in ${where}`).toContain(kind);
  });
});

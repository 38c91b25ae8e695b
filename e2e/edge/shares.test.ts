/** A shared table on the edge: its public copy, what programs get of it, how it follows its table, and how it ends. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call, connect } from './support/client.ts';
import { LocalEdge } from './support/local_edge.ts';
import { Owner } from './support/owner.ts';

const state = temporaryFolder(afterAll);
const hostile = [
  '<script>alert(1)</script>',
  '=HYPERLINK("http://x","y")',
  'a "quoted", cell\r\nof two lines',
  '\u202Ertl',
];
const rowCount = 1200;
let edge: LocalEdge;
let owner: Owner;
let client: Client;
let url: string;
let apiUrl: string;

beforeAll(async () => {
  edge = await LocalEdge.start({ state });
  owner = await Owner.setUp(edge);
  client = await connect(`${edge.origin}/mcp`, await owner.createToken());
  const rows = Array.from({ length: rowCount }, (_, id) => ({
    id,
    amount: id / 4,
    big: `9007199254740${String(id).padStart(4, '0')}`,
    note: id < hostile.length ? hostile[id] : id % 2 === 0 ? null : '',
  }));
  await call(client, 'write_table', { table: 'sales/2025', rows });
  ({ url, api_url: apiUrl } = (await call(client, 'share_table', { table: 'sales/2025' })) as never);
});
afterAll(async () => {
  await client?.close();
  await edge?.kill();
});

const ask = (parameters: Record<string, string> = {}, init: RequestInit = {}) => {
  const address = new URL(apiUrl);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return fetch(address, init);
};
const json = async (parameters: Record<string, string> = {}) => (await (await ask(parameters)).json()) as Rows;

interface Rows {
  table: string;
  version: number;
  total_rows: number;
  columns: { name: string; type: string }[];
  rows: unknown[][];
  next: string | null;
}

describe('rows for a program', () => {
  test('come a page at a time, each row once, by the links to the next page', async () => {
    const ids: unknown[] = [];
    let at: string | null = apiUrl;
    for (let pages = 0; at !== null && pages < 10; ++pages) {
      const page: Rows = (await (await fetch(at)).json()) as Rows;
      ids.push(...page.rows.map(([id]) => id));
      at = page.next;
    }
    expect(ids).toEqual(Array.from({ length: rowCount }, (_, id) => id));
  });

  test('come all at once if so asked for', async () => {
    const { rows, columns, ...facts } = await json({ limit: '10000' });
    expect(rows).toHaveLength(rowCount);
    expect(facts).toEqual({ table: 'sales/2025', version: 1, total_rows: rowCount, offset: 0, next: null });
    expect(columns.map(({ name }) => name)).toEqual(['id', 'amount', 'big', 'note']);
  });

  test('come in the columns and the order that were asked for', async () => {
    const { columns, rows } = await json({ select: 'note,id', order: '-id', limit: '2', offset: '1' });
    expect(columns.map(({ name }) => name)).toEqual(['note', 'id']);
    expect(rows.map(([, id]) => id)).toEqual([rowCount - 2, rowCount - 3]);
  });

  test('come by conditions, whose values are values and nothing else', async () => {
    const ids = async (where: string) => (await json({ where, select: 'id' })).rows.map(([id]) => id);
    expect(await ids('id.lt.2')).toEqual([0, 1]);
    expect(await ids("note.contains.'; DROP")).toEqual([]);
    expect(await ids('note.eq.<script>alert(1)</script>')).toEqual([0]);
    expect(await ids('amount.eq.2.5')).toEqual([10]);
    expect((await json({ where: 'note.is_null', limit: '1' })).total_rows).toBe((rowCount - hostile.length) / 2);
    const both = await fetch(`${apiUrl}?where=id.ge.10&where=id.le.12&select=id`);
    expect(((await both.json()) as Rows).rows).toEqual([[10], [11], [12]]);
    expect((await json({ search: 'hyperlink', select: 'id' })).rows).toEqual([[1]]);
  });

  test('are exact as CSV', async () => {
    const response = await ask({ format: 'csv', limit: '6', select: 'id,big,note' });
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(await response.text()).toBe(
      [
        'id,big,note',
        '0,90071992547400000,<script>alert(1)</script>',
        '1,90071992547400001,"=HYPERLINK(""http://x"",""y"")"',
        '2,90071992547400002,"a ""quoted"", cell\r\nof two lines"',
        '3,90071992547400003,\u202Ertl',
        '4,90071992547400004,',
        '5,90071992547400005,""',
        '',
      ].join('\r\n'),
    );
  });

  test('are objects as NDJSON, also by Accept', async () => {
    const response = await ask({ limit: '5' }, { headers: { accept: 'application/x-ndjson' } });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[4]).toEqual({ id: 4, amount: 1, big: '90071992547400004', note: null });
    expect(lines).toHaveLength(5);
  });

  test.each([
    [{ select: 'id" FROM x; --' }, 'unknown_column'],
    [{ order: 'id); DROP TABLE x' }, 'unknown_column'],
    [{ limit: '1 OR 1=1' }, 'invalid_request'],
    [{ limit: '10001' }, 'invalid_request'],
    [{ offset: '-1' }, 'invalid_request'],
    [{ format: 'exe' }, 'invalid_request'],
    [{ format: 'constructor' }, 'invalid_request'],
    [{ where: 'id=1' }, 'invalid_request'],
    [{ where: 'id.or.1' }, 'invalid_request'],
    [{ where: 'id.eq.one' }, 'invalid_filter'],
    [{ where: '1=1) --.eq.1' }, 'unknown_column'],
    [{ sql: 'select 1', where: 'id.eq.1' }, 'invalid_request'],
  ])('asked for by %j are refused with a hint', async (parameters, kind) => {
    const response = await ask(parameters as Record<string, string>);
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ error: kind, hint: expect.any(String) });
  });

  test('may be asked for by any page, by HEAD too, and are for no index', async () => {
    const preflight = await ask({}, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    const head = await ask({}, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const [name, value] of Object.entries({
      'access-control-allow-origin': '*',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
      'content-type': 'application/json',
    }))
      expect(head.headers.get(name)).toBe(value);
    expect((await ask({}, { method: 'POST' })).status).toBe(405);
  });

  test('are not sent again to who has them', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"1-[0-9a-f]{16}-json"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`])
      expect((await ask({}, { headers: { 'if-none-match': known } })).status).toBe(304);
    expect((await ask({ format: 'csv' }, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

test('the page shows cells as text and asks to stay out of indexes', async () => {
  const response = await fetch(url);
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  const text = await response.text();
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>alert');
});

test('a stranger is answered where there is no workspace at all', async () => {
  const [workspaces, away] = [join(state, 'stele-Workspace'), join(state, 'away')];
  await edge.kill();
  renameSync(workspaces, away);
  await edge.start();
  expect(await json({ order: '-note', limit: '2' })).toMatchObject({ version: 1 });
  await edge.kill();
  rmSync(workspaces, { recursive: true, force: true });
  renameSync(away, workspaces);
  await edge.start();
});

describe('the public copy', () => {
  test('follows its table, also by another name', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    await call(client, 'write_table', {
      table: 'sales/2025',
      mode: 'upsert',
      key_columns: ['id'],
      rows: [{ id: 3, amount: 0, big: '1', note: 'changed' }],
    });
    await call(client, 'update_table_info', { table: 'sales/2025', rename_to: 'sales/final' });
    expect(await json({ order: 'id', offset: '3', limit: '1' })).toMatchObject({
      table: 'sales/final',
      version: 2,
      rows: [[3, 0, 1, 'changed']],
    });
    expect((await ask({}, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('knows no earlier version', async () => {
    expect((await fetch(apiUrl.replace(/\/rows$/, '@1/rows'))).status).toBe(404);
    expect(await (await fetch(`${apiUrl}?version=1`)).json()).toMatchObject({ error: 'invalid_request' });
  });

  test('moves when an old version is restored', async () => {
    await call(client, 'restore_version', { table: 'sales/final', version: 1 });
    expect(await json({ order: 'id', offset: '3', limit: '1' })).toMatchObject({
      version: 3,
      rows: [[3, 0.75, expect.any(String), '\u202Ertl']],
    });
  });

  test('is gone the moment that the owner ends it, and a new share has another link', async () => {
    const page = await (await owner.get('/w/main/shares')).text();
    expect(page).toContain('sales/final');
    const token = url.split('/').at(-1)!;
    expect((await owner.post('/w/main/shares/end', { token }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await fetch(url)).status).toBe(200);
    expect((await owner.post('/w/main/shares/end', { token })).status).toBe(303);
    expect([(await fetch(url)).status, (await fetch(apiUrl)).status]).toEqual([404, 404]);
    expect(await (await owner.get('/w/main/shares')).text()).not.toContain('sales/final');
    const again = (await call(client, 'share_table', { table: 'sales/final' })) as { url: string; api_url: string };
    expect(again.url).not.toBe(url);
    expect((await fetch(again.api_url)).status).toBe(200);
    expect((await fetch(apiUrl)).status).toBe(404);
    apiUrl = again.api_url;
  });

  test('ends with its table', async () => {
    await call(client, 'delete_table', { table: 'sales/final' });
    expect((await ask()).status).toBe(404);
  });
});

test('a link of one workspace leads nowhere in another', async () => {
  await call(client, 'write_table', { table: 'mine', rows: [{ a: 1 }] });
  const { url: mine } = (await call(client, 'share_table', { table: 'mine' })) as { url: string };
  await owner.createWorkspace('other');
  expect((await fetch(mine)).status).toBe(200);
  expect((await fetch(mine.replace('/w/main/', '/w/other/'))).status).toBe(404);
});

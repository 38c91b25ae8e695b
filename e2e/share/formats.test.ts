/** What a program gets of a shared table: each format by each way to ask, read back by another implementation; and SQL. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from '../edge/support/client.ts';
import { rowCount, type SharedTable, shareTable, table } from './support/shared_table.ts';

const state = temporaryFolder(afterAll);
let shared: SharedTable;

beforeAll(async () => {
  shared = await shareTable(state);
});
afterAll(async () => {
  await shared?.client.close();
  await shared?.edge.kill();
});

type Row = Record<string, unknown>;
const ask = (search: string, headers: Record<string, string> = {}) => fetch(shared.apiUrl + search, { headers });

async function duckRows(bytes: Uint8Array, format: 'parquet' | 'csv'): Promise<Row[]> {
  const file = join(state, `rows.${format}`);
  writeFileSync(file, bytes);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const from = format === 'csv' ? `read_csv('${file}', header = true)` : `read_parquet('${file}')`;
  return (await connection.runAndReadAll(`SELECT * FROM ${from}`)).getRowObjectsJson() as Row[];
}

/** Each format as rows of plain values. */
const readers: Record<string, (response: Response) => Promise<Row[]>> = {
  json: async (response) => {
    const { columns, rows } = (await response.json()) as { columns: { name: string }[]; rows: unknown[][] };
    return rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));
  },
  ndjson: async (response) =>
    (await response.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row),
  csv: async (response) => duckRows(await response.bytes(), 'csv'),
  parquet: async (response) => duckRows(await response.bytes(), 'parquet'),
  arrow: async (response) =>
    tableFromIPC(await response.bytes())
      .toArray()
      .map((row: { toJSON(): Row }) => row.toJSON()),
};
const plain = (rows: Row[]) => rows.map(({ id, city }) => ({ id: Number(id), city }));

describe.each([
  ['json', 'application/json'],
  ['ndjson', 'application/x-ndjson'],
  ['csv', 'text/csv'],
  ['parquet', 'application/vnd.apache.parquet'],
  ['arrow', 'application/vnd.apache.arrow.stream'],
])('%s', (format, contentType) => {
  const read = async (response: Response) => plain(await readers[format]!(response));

  test('has the rows that where, order, limit, offset and select name, and says where it goes on', async () => {
    const search = `?format=${format}&select=id,city&where=city.eq.Oslo&where=id.gt.100&order=-id&limit=2&offset=1`;
    const response = await ask(search);
    expect(response.headers.get('content-type')).toMatch(contentType);
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const next = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    expect(await read(response)).toEqual([
      { id: rowCount - 6, city: 'Oslo' },
      { id: rowCount - 10, city: 'Oslo' },
    ]);
    expect(await read(await fetch(next!))).toMatchObject([{ id: rowCount - 14 }, { id: rowCount - 18 }]);
  });

  test('has the whole table, and none of it where none passes', async () => {
    const all = await read(await ask(`?format=${format}&limit=all&select=id,city`));
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: rowCount }, (_, i) => i + 1));
    const none = await ask(`?format=${format}&where=id.lt.0&select=id,city`);
    expect(none.status).toBe(200);
    if (format !== 'csv') expect(await read(none)).toEqual([]);
  });

  test('is asked for by Accept, by HEAD, and is not sent again to who has it', async () => {
    const response = await ask('?limit=1', { accept: contentType });
    expect(response.headers.get('content-type')).toMatch(contentType);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(new RegExp(`^"1-[0-9a-f]{16}-${format}"$`));
    expect((await ask(`?format=${format}`, { 'if-none-match': etag })).status).toBe(304);
    const head = await fetch(`${shared.apiUrl}?format=${format}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });
});

describe('the document of the API', () => {
  interface Operation {
    operationId: string;
    parameters?: { name: string }[];
    responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
  }
  interface Document {
    servers: [{ url: string }];
    paths: Record<string, Record<'get' | 'head' | 'post', Operation>>;
    components: { schemas: Record<string, object> };
  }
  let document: Document;
  let ajv: Ajv2020;
  beforeAll(async () => {
    document = (await (await fetch(`${shared.edge.origin}/openapi.json`)).json()) as Document;
    ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [name, schema] of Object.entries(document.components.schemas))
      ajv.addSchema(schema, `#/components/schemas/${name}`);
  });

  test('names each format and parameter', () => {
    const { responses, parameters } = document.paths['/s/{token}/rows']!.get;
    expect(Object.keys(responses['200']!.content!)).toEqual([
      'application/json',
      'application/x-ndjson',
      'text/csv',
      'application/vnd.apache.parquet',
      'application/vnd.apache.arrow.stream',
    ]);
    const names = ['format', 'select', 'where', 'search', 'order', 'limit', 'offset', 'escape', 'sql', 'If-None-Match'];
    expect(parameters!.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test('is what a program that knows nothing else gets', async () => {
    const { receipt } = await call(shared.client, 'query', {
      sql: `SELECT count(*) AS n FROM "${table}"`,
      receipt: true,
    });
    const values: Record<string, string> = {
      workspace: 'main',
      token: new URL(shared.url).pathname.split('/').at(-1)!,
      id: (receipt as { id: string }).id,
    };
    const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
    const check = async (path: string, method: 'get' | 'post', status: number, search = '') => {
      const url = filled(document.servers[0].url + path) + search;
      const response = await fetch(url, { method });
      expect(response.status, url).toBe(status);
      const schema = document.paths[path]![method].responses[status]?.content!['application/json']!.schema;
      const isValid = ajv.validate(schema!, await response.json());
      expect([url, isValid, ajv.errors]).toEqual([url, true, null]);
    };
    await check('/s/{token}/rows', 'get', 200, '?limit=3');
    await check('/s/{token}/rows', 'get', 200, '?limit=all&select=id');
    await check('/s/{token}/rows', 'get', 400, '?limit=many');
    await check('/s/{token}/rows', 'get', 403, '?sql=SELECT%201');
    await check('/s/{token}/about', 'get', 200);
    await check('/r/{id}.json', 'get', 200);
    await check('/r/{id}/rerun', 'post', 200);
    values.token = values.id = 'nothing_is_here_000000';
    await check('/s/{token}/rows', 'get', 404);
    await check('/s/{token}/about', 'get', 404);
    await check('/r/{id}.json', 'get', 404);
    await check('/r/{id}/rerun', 'post', 404);
  });
});

describe('SQL', () => {
  const select = (sql: string, more = '') => ask(`?sql=${encodeURIComponent(sql)}${more}`);
  const allow = (isAllowed: boolean) =>
    shared.owner.post('/w/main/shares/sql', { token: shared.url.split('/').at(-1)!, allow: String(isAllowed) });
  const count = `SELECT city, count(*) AS n FROM "${table}" GROUP BY ALL ORDER BY city LIMIT 2`;

  test('is refused unless the owner allows it', async () => {
    const refused = await select(count);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: 'sql_not_allowed', hint: expect.any(String) });
  });

  test('answers one SELECT over the table in each format, where it is allowed', async () => {
    expect((await allow(true)).status).toBe(303);
    expect(await (await shared.owner.get('/w/main/shares')).text()).toContain('may query it with SQL');
    expect(await (await fetch(shared.url)).text()).toContain('--data-urlencode');
    for (const format of ['json', 'ndjson', 'csv', 'parquet', 'arrow']) {
      const rows = await readers[format]!(await select(count, `&format=${format}`));
      expect(
        rows.map(({ city, n }) => [city, Number(n)]),
        format,
      ).toEqual([
        ['Kyoto', rowCount / 4],
        ['Lisbon', rowCount / 4],
      ]);
    }
    const cut = (await (await select(`SELECT id FROM "${table}"`, '&limit=3')).json()) as {
      rows: [];
      truncated: boolean;
    };
    expect([cut.rows.length, cut.truncated]).toEqual([3, true]);
  });

  test('is not run again for who has the answer', async () => {
    const etag = (await select(count)).headers.get('etag') ?? '';
    const again = await ask(`?sql=${encodeURIComponent(count)}`, { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  test.each([
    [`DELETE FROM "${table}"`, 400],
    [`SELECT 1; SELECT 2`, 400],
    [`SELECT * FROM "secret"`, 404],
    [`SELECT * FROM read_csv('/etc/passwd')`, 400],
    [`SELECT * FROM "${table}@2"`, 404],
    [`SELECT note FROM "${table}"`, 400], // a cell of 1 MB
  ])('%s is refused', async (sql, status) => {
    await call(shared.client, 'write_table', { table: 'secret', mode: 'replace', rows: [{ salary: 1 }] }).catch(
      () => {},
    );
    const refused = await select(sql);
    expect(await refused.json()).toMatchObject({ error: expect.any(String), hint: expect.any(String) });
    expect([400, status]).toContain(refused.status);
  });

  test('that runs on is ended, and the table stays readable', async () => {
    const endless = await select(
      `SELECT count(*) FROM "${table}" a, "${table}" b, "${table}" c WHERE a.amount * b.amount > c.id`,
    );
    expect(await endless.json()).toMatchObject({ error: 'time_limit' });
    expect(endless.status).toBe(503);
    expect((await ask('?limit=1')).status).toBe(200);
  });

  test('is bounded for all readers together', async () => {
    const statuses = [];
    for (let i = 0; i < 40; ++i) statuses.push((await select(`SELECT ${i}`)).status);
    expect(statuses).toContain(429);
    expect((await ask('?limit=1')).status).toBe(200);
  });

  test('ends when the owner says so', async () => {
    await allow(false);
    expect((await select(count)).status).toBe(403);
  });
});

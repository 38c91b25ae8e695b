/**
 * Random typed tables through every way in, and random queries over them, here and in DuckDB's own Node package: same types,
 * same rows, same answers. The seed names a failure; STELE_LONG=1 runs many more.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { type Caller, Core } from '../../wasm/core.ts';
import { type Home, HomeError, stageAll } from '../../wasm/home.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import { builtModule, nodeHost } from './support/module.ts';
import { asCsv, asRows, asSql, quoted, Random, type RandomColumn, randomTable } from './support/random_table.ts';

const seeds = process.env.STELE_LONG ? 1_000 : 12;
const queriesEach = 8;
const caller: Caller = { author: 'differential', read: true, write: true, share: true, origin: '' };

type Cell = string | null;

const module = await builtModule('stele');
const folder = mkdtempSync(join(tmpdir(), 'stele-differential-'));
/** The web: files by URL. */
const files = new Map<string, Uint8Array>();
const home: Home = {
  async ask(question, staging) {
    const bytes = question.ask === 'fetch' ? files.get(question.url) : undefined;
    if (!bytes || question.ask !== 'fetch')
      throw new HomeError('unavailable', 'There is no such file.', 'Ask for another.');
    return { staged: await stageAll(staging, one(bytes)), url: question.url, content_type: '' };
  },
};

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

let oracle: DuckDBConnection;
let store: NodeStore;
let core: Core;

beforeAll(async () => {
  oracle = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await oracle.run("SET TimeZone = 'UTC'");
  store = new NodeStore(':memory:');
  core = new Core({ module, store, host: nodeHost, limits: { query_ms: 1_000_000 }, memoryBytesMax: 1 << 30, home });
});

afterAll(() => {
  core.drop();
  store.close();
  oracle.closeSync();
  rmSync(folder, { recursive: true });
});

async function call(tool: string, args: JsonObject): Promise<JsonObject> {
  const { value, isError } = await core.call(tool, args, caller);
  if (isError) throw new Error(`${tool}: ${JSON.stringify(value)} for ${JSON.stringify(args).slice(0, 3000)}`);
  return value;
}

async function theirs(sql: string): Promise<Cell[][]> {
  const reader = await oracle.runAndReadAll(sql);
  return reader.getRowsJson().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

async function ours(sql: string): Promise<Cell[][]> {
  const { rows } = await call('query', { sql, limit: 500 });
  return (rows as Cell[][]).map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

/** Every cell as the engine writes it, so that both print by the same rules; in the table's order. */
const whole = (columns: RandomColumn[], table: string): string =>
  `SELECT ${columns.map(({ name }) => `CAST(${quoted(name)} AS VARCHAR) AS ${quoted(name)}`).join(', ')} FROM ${quoted(table)}`;

async function expectSame(sql: string, about: string): Promise<void> {
  const [mine, other] = [await ours(sql), await theirs(sql)];
  expect(mine.length, `${about}: ${sql}`).toBe(other.length);
  for (const [y, row] of mine.entries())
    for (const [x, cell] of row.entries())
      if (!isSame(cell, other[y]![x]!)) expect(cell, `${about}, row ${y}, column ${x}: ${sql}`).toBe(other[y]![x]);
}

/** WASM and native differ in the last digits of floating-point functions. */
function isSame(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  if (a === null || b === null || !/^-?\d[\d.]*(e[-+]\d+)?$/.test(a)) return false;
  return Math.abs(Number(a) - Number(b)) <= 1e-12 * Math.abs(Number(b));
}

async function expectTypes(columns: RandomColumn[], table: string): Promise<void> {
  const { columns: told } = await call('query', { sql: `SELECT * FROM ${quoted(table)}`, limit: 1 });
  expect(told).toEqual(columns.map(({ name, type }) => ({ name, type })));
}

/** A query over any columns; one of the few shapes that most are made of. Its rows are in an order. */
function randomQuery(columns: RandomColumn[], table: string, random: Random): string {
  const pick = () => quoted(random.of(columns).name);
  const [a, b] = [pick(), pick()];
  const from = `FROM ${quoted(table)}`;
  const asText = (expression: string) => `CAST(${expression} AS VARCHAR)`;
  const numbers = columns.filter(({ type }) => type === 'BIGINT' || type === 'DOUBLE').map(({ name }) => quoted(name));
  const number = random.of(numbers);
  const shapes = [
    `SELECT id, ${asText(a)} AS a ${from} WHERE ${b} IS NOT NULL ORDER BY ${a} DESC NULLS LAST, id LIMIT 20`,
    `SELECT ${asText(a)} AS a, count(*) AS n, count(DISTINCT ${b}) AS d ${from} GROUP BY ${a} ORDER BY ${a} NULLS FIRST`,
    `SELECT ${asText(`min(${a})`)} AS lo, ${asText(`max(${a})`)} AS hi, count(${a}) AS n ${from}`,
    `SELECT avg(${number} / 1e6) AS m, ${asText(`median(${number})`)} AS q, count(*) FILTER (WHERE ${number} > 0) AS p ${from}`,
    `SELECT id, ${asText(`lag(${a}) OVER (ORDER BY ${b} NULLS FIRST, id)`)} AS l, row_number() OVER (PARTITION BY ${b} ORDER BY id) AS r ${from} ORDER BY id`,
    `SELECT x.id, count(*) AS n ${from} x JOIN ${quoted(table)} y ON x.${a} = y.${a} GROUP BY x.id ORDER BY x.id`,
    `SELECT id ${from} WHERE ${a} IN (SELECT ${a} ${from} WHERE id % 3 = 0) ORDER BY id`,
    `SELECT ${asText(a)} AS a ${from} WHERE id > 2 EXCEPT SELECT ${asText(a)} ${from} WHERE id <= 2 ORDER BY 1 NULLS FIRST`,
    `SELECT length(${asText(a)}) AS l, upper(${asText(a)}) AS u, ${asText(a)} LIKE '%1%' AS k, id ${from} ORDER BY id`,
    `SELECT string_agg(${asText(a)}, '|' ORDER BY id) AS s, list(${asText(b)} ORDER BY id)::VARCHAR AS l ${from}`,
  ];
  return random.of(shapes);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a random table', () => {
  test.each(Array.from({ length: seeds }, (_, seed) => seed + 1))('of seed %i', { timeout: 120_000 }, async (seed) => {
    const random = new Random(seed);
    const table = randomTable(random);
    const { columns } = table;
    await oracle.run(asSql(table, 'made'));

    const ways: Record<string, () => Promise<unknown>> = {
      written: () => call('write_table', { table: 'made', rows: asRows(table) as unknown as JsonObject[] }),
      csv: () => imported('made.csv', utf8(asCsv(table, random))),
      json: () => imported('made.json', utf8(JSON.stringify(asRows(table)))),
      ndjson: () =>
        imported(
          'made.ndjson',
          utf8(
            asRows(table)
              .map((row) => JSON.stringify(row))
              .join('\n'),
          ),
        ),
      parquet: async () => imported('made.parquet', await parquetOf('made')),
    };
    for (const [way, write] of Object.entries(ways)) {
      await write();
      const about = `seed ${seed}, ${way}`;
      await expectTypes(columns, 'made');
      await expectSame(whole(columns, 'made'), about);
      for (let i = 0; i < queriesEach; ++i) await expectSame(randomQuery(columns, 'made', random), about);
      if (way === 'written') await expectSameAfterUpsert(table, random, about);
      await call('delete_table', { table: 'made' });
      await oracle.run(asSql(table, 'made'));
    }
  });
});

/** Values at the edges of types that only Parquet carries. */
const exactTypes: Record<string, string[]> = {
  'DECIMAL(18,3)': ['0.001', '-999999999999999.999', '1.5'],
  'DECIMAL(38,0)': ['99999999999999999999999999999999999999', '-1'],
  'DECIMAL(38,38)': ['0.00000000000000000000000000000000000001'],
  UBIGINT: ['18446744073709551615', '0'],
  BIGINT: ['-9223372036854775808', '9223372036854775807'],
  UINTEGER: ['4294967295'],
  SMALLINT: ['-32768'],
  TINYINT: ['-128'],
  FLOAT: ['0.1', '3.4e38', 'NaN', '-inf'],
  DOUBLE: ['NaN', 'inf', '-0.0', '5e-324'],
  UUID: ['ffffffff-0000-4000-8000-000000000001'],
  BLOB: ['\\x00\\xFFa'],
  TIMESTAMP_NS: ['2025-04-03 04:05:06.123456789'],
  TIMESTAMP_MS: ['2025-04-03 04:05:06.123'],
  TIMESTAMP_S: ['1969-12-31 23:59:59'],
  'TIMESTAMP WITH TIME ZONE': ['2025-04-03 04:05:06.000001+05:30'],
  TIME: ['23:59:59.999999'],
  INTERVAL: ['1 month', '30 days', '1 year 2 days 00:00:03'],
  'INTEGER[]': ['[1, NULL, 3]', '[]'],
  'STRUCT(a INTEGER, "b c" VARCHAR)': ["{'a': 1, 'b c': 'x'}", "{'a': NULL, 'b c': NULL}"],
  'MAP(VARCHAR, INTEGER)': ['{k=1, l=2}', '{}'],
  'STRUCT(a INTEGER[])[]': ["[{'a': [1, 2]}, NULL]"],
  VARCHAR: ['', 'é'],
};

describe('a random Parquet file of types that text has not', () => {
  test.each(Array.from({ length: seeds }, (_, seed) => seed + 1))('of seed %i', { timeout: 120_000 }, async (seed) => {
    const random = new Random(seed + 7_777);
    const types = Array.from({ length: 1 + random.below(6) }, () => random.of(Object.keys(exactTypes)));
    const columns = types.map((type, x) => ({ name: `c ${x}`, type, values: [] }));
    const rows = 1 + random.below(30);
    const tuples = Array.from({ length: rows }, () =>
      types.map((type) => {
        const text = random.below(4) === 0 ? 'NULL' : `'${random.of(exactTypes[type]!).replaceAll("'", "''")}'`;
        return `CAST(${text} AS ${type})`;
      }),
    );
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    await oracle.run(
      `CREATE OR REPLACE TABLE made AS SELECT * FROM (VALUES ${tuples.map((cells) => `(${cells.join(', ')})`).join(', ')}) AS v(${names})`,
    );
    const file = await parquetOf('made');
    // What the file holds, which for some types is not what the table held.
    await oracle.run(`CREATE OR REPLACE TABLE made AS FROM read_parquet('${join(folder, 'made.parquet')}')`);
    await imported('made.parquet', file);
    const about = `seed ${seed}, ${types.join(', ')}`;
    await expectSame(whole(columns, 'made'), about);
    // And once more through our own segments.
    await call('query', { sql: 'SELECT * FROM made', save_as: 'made' });
    await expectSame(whole(columns, 'made'), `${about}, saved`);
    await call('delete_table', { table: 'made' });
  });
});

async function imported(name: string, bytes: Uint8Array): Promise<unknown> {
  const url = `https://files.example/${name}`;
  files.set(url, bytes);
  return call('import_table', { table: 'made', source_url: url });
}

async function parquetOf(table: string): Promise<Uint8Array> {
  const file = join(folder, 'made.parquet');
  await oracle.run(`COPY ${table} TO '${file}' (FORMAT parquet)`);
  return readFileSync(file);
}

/** Some rows get the values of others, new ones come, and the version before stays as it was. */
async function expectSameAfterUpsert(
  table: ReturnType<typeof randomTable>,
  random: Random,
  about: string,
): Promise<void> {
  const { columns, rows } = table;
  const from = random.below(rows);
  const changed = {
    rows,
    columns: columns.map((column, x) =>
      x === 0
        ? { ...column, values: column.values.map((_, row) => idAt(from + row)) }
        : { ...column, values: [...column.values].reverse() },
    ),
  };
  await call('write_table', {
    table: 'made',
    mode: 'upsert',
    key_columns: ['id'],
    rows: asRows(changed) as unknown as JsonObject[],
  });
  await oracle.run(asSql(changed, 'changed'));
  await oracle.run('DELETE FROM made WHERE id IN (SELECT id FROM changed); INSERT INTO made SELECT * FROM changed');
  await expectSame(`${whole(columns, 'made')} ORDER BY made.id`, `${about}, upserted`);
  await oracle.run(asSql(table, quoted('made@1')));
  await expectSame(`${whole(columns, 'made@1')} ORDER BY id`, `${about}, before the upsert`);
  await oracle.run(`DROP TABLE ${quoted('made@1')}`);
}

const idAt = (id: number) => ({ json: id, sql: `CAST(${id} AS BIGINT)`, csv: String(id) });

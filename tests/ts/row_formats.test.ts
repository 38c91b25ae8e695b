/**
 * Rows as Parquet and Arrow, read back by other implementations than wrote them: DuckDB's own for Parquet, apache-arrow for
 * Arrow. Each type at its extremes, with nulls, in more than one page.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Table, tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowEncoder } from '../../edge/handler/row_encoder.ts';
import { shapeOf } from '../../wasm/rows/column_shape.ts';
import { NodeStore } from '../../edge/desk/node_store.ts';
import { type Caller, Core } from '../../wasm/core.ts';
import type { JsonObject } from '../../wasm/instance.ts';
import type { RowsAnswer } from '../../wasm/views.ts';
import { builtModule, nodeHost } from './support/module.ts';
import { temporaryFolder } from './support/temporary.ts';

const folder = temporaryFolder(afterAll);
const caller: Caller = { author: 'tester', read: true, write: true, share: true, origin: '' };
const store = new NodeStore(':memory:');
afterAll(() => store.close());

/** Two values of a type as SQL, and what Arrow's cells say of them, where that is not the value's text. */
const columns: Record<string, { type: string; values: [string, string]; arrow?: [unknown, unknown] }> = {
  tiny: { type: 'TINYINT', values: ['-128', '127'] },
  small: { type: 'SMALLINT', values: ['-32768', '32767'] },
  whole: { type: 'INTEGER', values: ['-2147483648', '2147483647'] },
  big: { type: 'BIGINT', values: ['-9223372036854775808', '9223372036854775807'] },
  utiny: { type: 'UTINYINT', values: ['0', '255'] },
  usmall: { type: 'USMALLINT', values: ['0', '65535'] },
  uwhole: { type: 'UINTEGER', values: ['0', '4294967295'] },
  ubig: { type: 'UBIGINT', values: ['0', '18446744073709551615'] },
  float: { type: 'FLOAT', values: ["'NaN'", '1.5'], arrow: ['NaN', '1.5'] },
  double: { type: 'DOUBLE', values: ["'-inf'", '0.1'], arrow: ['-Infinity', '0.1'] },
  cents: { type: 'DECIMAL(9,2)', values: ['-1234567.89', '0.01'], arrow: ['-123456789', '1'] },
  euros: { type: 'DECIMAL(18,3)', values: ['-123456789012345.678', '1'], arrow: ['-123456789012345678', '1000'] },
  exact: {
    type: 'DECIMAL(38,10)',
    values: ['-1234567890123456789012345678.0123456789', '0.5'],
    arrow: ['-12345678901234567890123456780123456789', '5000000000'],
  },
  flag: { type: 'BOOLEAN', values: ['true', 'false'] },
  text: { type: 'VARCHAR', values: ["''", "'<b>ÿ😀 \u202E'"], arrow: ['', '<b>ÿ😀 \u202E'] },
  bytes: { type: 'BLOB', values: ["''", "'\\x00\\xFF'"], arrow: ['', '0,255'] },
  id: {
    type: 'UUID',
    values: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-0123-4567-89ab-cdef01234567'"],
    arrow: [Array(16).fill(0).join(), '255,255,255,255,1,35,69,103,137,171,205,239,1,35,69,103'],
  },
  day: {
    type: 'DATE',
    values: ["'0044-03-15 (BC)'", "'2024-02-29'"],
    arrow: [-735_160 * 86_400_000, 19782 * 86_400_000],
  },
  time: { type: 'TIME', values: ["'00:00:00'", "'23:59:59.999999'"], arrow: ['0', '86399999999'] },
  moment: { type: 'TIMESTAMP', values: ["'1969-12-31 23:59:59.999999'", "'2026-01-02 03:04:05'"] },
  second: { type: 'TIMESTAMP_S', values: ["'1969-12-31 23:59:59'", "'2026-01-02 03:04:05'"] },
  nano: { type: 'TIMESTAMP_NS', values: ["'1969-12-31 23:59:59.999999999'", "'2026-01-02 03:04:05'"] },
  instant: { type: 'TIMESTAMPTZ', values: ["'1969-12-31 23:59:59.999999Z'", "'2026-01-02 03:04:05+02'"] },
  list: { type: 'INTEGER[]', values: ['[]', '[1, NULL, 3]'], arrow: ['[]', '[1,null,3]'] },
  struct: {
    type: 'STRUCT(a BIGINT, "b c" VARCHAR[])',
    values: ["{'a': 9007199254740993, 'b c': ['x', NULL]}", "{'a': NULL, 'b c': NULL}"],
    arrow: ['{"a":"9007199254740993","b c":["x",null]}', '{"a":null,"b c":null}'],
  },
  map: {
    type: 'MAP(VARCHAR, INTEGER)',
    values: ["MAP {'k': 1, 'l': NULL}", 'MAP {}'],
    arrow: ['{"k":1,"l":null}', '{}'],
  },
};

const names = Object.keys(columns);
const select = (row: 0 | 1) =>
  `SELECT ${names.map((name) => `(${columns[name]!.values[row]})::${columns[name]!.type} AS ${name}`).join(', ')}`;
const expected = `${select(0)} UNION ALL ${select(1)} UNION ALL SELECT ${names.map(() => 'NULL').join(', ')}`;
let answer: RowsAnswer;

beforeAll(async () => {
  const home = { ask: () => new Promise<JsonObject>(() => {}) };
  const module = await builtModule('stele');
  const core = new Core({ module, store, host: nodeHost, home, limits: {}, memoryBytesMax: 256 << 20 });
  const saved = await core.call('query', { sql: expected, save_as: 'types' }, caller);
  expect(saved.isError, JSON.stringify(saved.value)).toBe(false);
  answer = (await core.view('read_rows', { table: 'types' }, caller)).value as unknown as RowsAnswer;
});

/** In pages of two rows, as a large table comes. */
function encoded(format: 'parquet' | 'arrow'): Uint8Array {
  const { head, rows, tail } = rowEncoder({ format, escapesFormulas: false }, answer.columns, {});
  const pages = [answer.rows.slice(0, 2), answer.rows.slice(2)];
  return Buffer.concat([head, ...pages.map((page, i) => rows(page, 2 * i)), tail({})]);
}

test('DuckDB reads from Parquet the types and values that were written', async () => {
  const file = join(folder, 'types.parquet');
  writeFileSync(file, encoded('parquet'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("SET timezone = 'UTC'");
  const typesOf = async (sql: string) => (await connection.runAndReadAll(`DESCRIBE ${sql}`)).getRows().map(String);
  const read = `SELECT * FROM read_parquet('${file}')`;
  // Parquet has no whole seconds.
  const known = (row: string) => row.replace('TIMESTAMP_S', 'TIMESTAMP');
  expect(await typesOf(read)).toEqual((await typesOf(expected)).map(known));
  const texts = async (sql: string) =>
    (
      await connection.runAndReadAll(`SELECT ${names.map((name) => `${name}::VARCHAR`).join(', ')} FROM (${sql})`)
    ).getRows();
  expect(await texts(read)).toEqual(await texts(expected));
});

describe('apache-arrow reads from the Arrow stream', () => {
  let table: Table;
  beforeAll(() => {
    table = tableFromIPC(encoded('arrow'));
  });

  test('as many rows in as many batches', () => {
    expect([table.numRows, table.batches.length]).toEqual([3, 2]);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(names);
  });

  test('each type', () => {
    const types = Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]));
    expect(types).toMatchObject({
      big: 'Int64',
      ubig: 'Uint64',
      exact: 'Decimal[38e+10]',
      bytes: 'Binary',
      id: 'FixedSizeBinary[16]',
      day: 'Date32<DAY>',
      time: 'Time64<MICROSECOND>',
      moment: 'Timestamp<MICROSECOND>',
      nano: 'Timestamp<NANOSECOND>',
      instant: 'Timestamp<MICROSECOND, UTC>',
      list: 'List<Int32>',
      struct: 'Struct<{a:Int64, b c:List<Utf8>}>',
    });
    expect(table.schema.fields.find(({ name }) => name === 'id')?.metadata.get('ARROW:extension:name')).toBe(
      'arrow.uuid',
    );
  });

  test.each(names.filter((name) => !/moment|second|nano|instant/.test(name)))('%s, and null', (name) => {
    const { values, arrow = values } = columns[name]!;
    const cells = [0, 1, 2].map((row) => table.getChild(name)!.get(row) as unknown);
    const shown = (cell: unknown) =>
      cell !== null && typeof cell === 'object' && !ArrayBuffer.isView(cell)
        ? JSON.stringify(cell, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
        : cell !== null && name.match(/cents|euros|exact/)
          ? String(decimalOf(cell as Uint32Array))
          : String(cell);
    expect(cells.slice(0, 2).map(shown)).toEqual(arrow.map(String));
    expect(cells[2]).toBeNull();
  });

  test('moments to their last digit', () => {
    const raw = (name: string) => {
      const { values } = table.getChild(name)!.data[0]!;
      return Array.from(values as BigInt64Array);
    };
    expect(raw('moment')).toEqual([-1n, 1_767_323_045_000_000n]);
    expect(raw('second')).toEqual([-1n, 1_767_323_045n]);
    expect(raw('nano')).toEqual([-1n, 1_767_323_045_000_000_000n]);
    expect(raw('instant')).toEqual([-1n, 1_767_315_845_000_000n]);
  });
});

function decimalOf(words: Uint32Array): bigint {
  const [low, high] = new BigInt64Array(words.slice().buffer);
  return (high! << 64n) + BigInt.asUintN(64, low!);
}

test.each([
  ['HUGEINT', { kind: 'text' }],
  ['INTERVAL', { kind: 'text' }],
  ['TIME WITH TIME ZONE', { kind: 'text' }],
  ['UNION(a INTEGER, b VARCHAR)', { kind: 'json' }],
  ['STRUCT(INTEGER, VARCHAR)', { kind: 'json' }],
  [
    'STRUCT("a ""(, b" INTEGER, c DECIMAL(4,1))[]',
    {
      kind: 'list',
      of: {
        kind: 'struct',
        fields: [
          { name: 'a "(, b', of: { kind: 'int' } },
          { name: 'c', of: { kind: 'decimal', precision: 4, scale: 1 } },
        ],
      },
    },
  ],
])('%s is read as a shape', (type, shape) => {
  expect(shapeOf(type)).toMatchObject(shape);
});

/**
 * Random typed tables that repeat by their seed: values at the edges of their types, and the same values as JSON for calls,
 * as SQL for an oracle and as cells of a CSV file.
 */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0 || 1;
  }

  /** A whole number from 0 to n − 1 (xorshift32). */
  below(n: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % n;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** One value: undefined stands for NULL. */
export interface RandomValue {
  json: unknown;
  sql: string;
  csv: string;
}

export interface RandomColumn {
  name: string;
  type: string;
  values: (RandomValue | undefined)[];
}

export interface RandomTable {
  columns: RandomColumn[];
  rows: number;
}

const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const two = (n: number): string => String(n).padStart(2, '0');

const texts = [
  'plain',
  'a "quoted" word',
  "it's",
  'comma, semicolon; bar|',
  'two\nlines',
  'ends with a blank ',
  ' begins with one',
  '007',
  '+1',
  '1e5',
  'NULL',
  'NaN',
  'true',
  '2025-04-03',
  '12345678901234567890',
  'é à ü ß',
  '表 データ',
  '😀 👩‍👩‍👧',
  "'; DROP TABLE t; --",
  '{"a": 1}',
  '\\N \\" \\',
  '=1+1',
  '#',
  '\ttab',
];

type MakeValue = (random: Random) => RandomValue;

function integer(random: Random): RandomValue {
  const edges = ['0', '1', '-1', '9007199254740991', '-9007199254740991'];
  const text = random.below(3) === 0 ? random.of(edges) : String(random.below(2_000_000) - 1_000_000);
  return { json: Number(text), sql: `CAST('${text}' AS BIGINT)`, csv: text };
}

function double(random: Random): RandomValue {
  const edges = [0.1, -0.5, 1.7976931348623157e308, 5e-324, 0.30000000000000004, 123456.789];
  const value = random.below(4) === 0 ? random.of(edges) : (random.below(2_000_001) - 1_000_000) / 64 + 1 / 128;
  // A program that prints doubles writes a point and a sign in the exponent; else it may be a code.
  const text = String(value).replace(/^(-?\d+)e/, '$1.0e');
  return { json: value, sql: `CAST('${text}' AS DOUBLE)`, csv: text };
}

function date(random: Random): RandomValue {
  const year = random.of([1, 1582, 1900, 1970, 2000, 2024, 2025, 9999]);
  const text = `${String(year).padStart(4, '0')}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  return { json: text, sql: `DATE '${text}'`, csv: text };
}

function timestamp(random: Random): RandomValue {
  const time = `${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}`;
  const fraction = random.of(['', '', '.5', '.000001', '.123456']);
  const text = `${date(random).csv}${random.of(['T', ' '])}${time}${fraction}`;
  return { json: text, sql: `TIMESTAMP '${text.replace('T', ' ')}'`, csv: text };
}

function instant(random: Random): RandomValue {
  const zone = random.of(['Z', '+05:30', '-08:00', '+00:00']);
  const text = `20${two(random.below(90))}-0${1 + random.below(9)}-1${random.below(9)}T0${random.below(9)}:${two(random.below(60))}:00${zone}`;
  return { json: text, sql: `TIMESTAMPTZ '${text.replace('T', ' ').replace('Z', '+00')}'`, csv: text };
}

function time(random: Random): RandomValue {
  const text = `${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}`;
  return { json: text, sql: `TIME '${text}'`, csv: text };
}

function truth(random: Random): RandomValue {
  const value = random.below(2) === 0;
  return { json: value, sql: String(value), csv: String(value) };
}

function text(random: Random): RandomValue {
  const value = random.of(texts);
  return { json: value, sql: sqlText(value), csv: value };
}

const kinds: { type: string; make: MakeValue }[] = [
  { type: 'BIGINT', make: integer },
  { type: 'DOUBLE', make: double },
  { type: 'BOOLEAN', make: truth },
  { type: 'DATE', make: date },
  { type: 'TIME', make: time },
  { type: 'TIMESTAMP', make: timestamp },
  { type: 'TIMESTAMP WITH TIME ZONE', make: instant },
  { type: 'VARCHAR', make: text },
];

const names = ['n', 'Name', 'unit price', 'größe', 'select', 'a.b', '2nd', "o'clock", 'x"y'];

/** `id` first, unique and never NULL; then some columns of any kind, each with a value that makes its type plain. */
export function randomTable(random: Random, firstId = 0): RandomTable {
  const rows = 3 + random.below(40);
  const ids = Array.from({ length: rows }, (_, row): RandomValue => {
    const number = String(firstId + row);
    return { json: Number(number), sql: `CAST(${number} AS BIGINT)`, csv: number };
  });
  const columns: RandomColumn[] = [{ name: 'id', type: 'BIGINT', values: ids }];
  const free = [...names];
  for (let i = 0; i < 1 + random.below(6); ++i) {
    const [name] = free.splice(random.below(free.length), 1);
    const { type, make } = random.of(kinds);
    columns.push({ name: name!, type, values: valuesOf(random, type, make, rows) });
  }
  return { columns, rows };
}

function valuesOf(random: Random, type: string, make: MakeValue, rows: number): (RandomValue | undefined)[] {
  const nulls = random.of([0, 5, 2]);
  const values = Array.from({ length: rows }, () => (nulls && random.below(nulls) === 0 ? undefined : make(random)));
  values[random.below(rows)] = plainest(type, make, random);
  return values;
}

/** A value that no other type could hold, so that the column's type is settled. */
function plainest(type: string, make: MakeValue, random: Random): RandomValue {
  if (type === 'VARCHAR') return { json: 'plain words', sql: "'plain words'", csv: 'plain words' };
  if (type === 'DOUBLE') return { json: 0.5, sql: 'CAST(0.5 AS DOUBLE)', csv: '0.5' };
  return make(random);
}

export function asRows({ columns, rows }: RandomTable): Record<string, unknown>[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]?.json ?? null])),
  );
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A statement that makes the table `name`. */
export function asSql({ columns, rows }: RandomTable, name: string): string {
  const tuples = Array.from(
    { length: rows },
    (_, row) => `(${columns.map(({ type, values }) => values[row]?.sql ?? `CAST(NULL AS ${type})`).join(', ')})`,
  );
  return `CREATE OR REPLACE TABLE ${name} (${columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ')});
    INSERT INTO ${name} VALUES ${tuples.join(', ')}`;
}

/** As some program would write it: any delimiter, line end and way of quoting that says the same. */
export function asCsv({ columns, rows }: RandomTable, random: Random): string {
  const delimiter = random.of([',', ';', '\t', '|']);
  const end = random.of(['\n', '\r\n']);
  const quotesAll = random.below(4) === 0;
  const cell = (text: string): string =>
    quotesAll || /[",;\t|\r\n]|^\s|\s$|^$|^#/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const cellOf = (value: RandomValue | undefined): string => (value ? cell(value.csv) : '');
  const lines = [columns.map(({ name }) => cell(name)).join(delimiter)];
  for (let row = 0; row < rows; ++row) lines.push(columns.map(({ values }) => cellOf(values[row])).join(delimiter));
  return lines.join(end) + random.of(['', end]);
}

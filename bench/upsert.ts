/** Upsert: one row into 3 M rows by three kinds of key, against rewriting the table with that row changed. */
import { type Figure, kb, median, ms, timedMs } from './figure.ts';
import { nativePeer, workFolder } from './peers.ts';
import { Stele } from './stele.ts';

const rows = 3_000_000;
const upserts = 10;
const steps = 1_000;

interface KeyKind {
  name: string;
  columns: string[];
  /** The value of the key's columns in row `i`; they are the row itself, with `amount`. */
  of(i: number): Record<string, string | number>;
}

const keys: KeyKind[] = [
  { name: 'a sorted integer key', columns: ['id'], of: (i) => ({ id: i }) },
  {
    name: 'a random text key',
    columns: ['code'],
    of: (i) => ({ code: `${(i * 1_000_003) % rows}-${(i * 7_919) % rows}` }),
  },
  {
    name: 'a composite key',
    columns: ['series', 'step'],
    of: (i) => ({ series: `series ${Math.floor(i / steps)}`, step: i % steps }),
  },
];

const generated = `SELECT range AS id, (range * 1000003) % ${rows} || '-' || (range * 7919) % ${rows} AS code,
  'series ' || range // ${steps} AS series, range % ${steps} AS step, (range * 31) % 10007 / 8.0 AS amount FROM range(${rows})`;

interface Cost {
  time: number;
  bytes: number;
}

export async function measureUpsert(): Promise<Figure[]> {
  const folder = workFolder();
  const native = await nativePeer();
  const stele = await Stele.open();
  const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
    const before = stele.bytesWritten;
    const time = await timedMs(work);
    return { time, bytes: stele.bytesWritten - before };
  };
  const medianCost = (costs: Cost[]): Cost => ({
    time: median(costs.map(({ time }) => time)),
    bytes: median(costs.map(({ bytes }) => bytes)),
  });
  try {
    const file = folder.path('rows.parquet');
    await native.run(`COPY (${generated}) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`);
    await stele.importFile('rows', file);
    const rewrites: Cost[] = [];
    for (let i = 0; i < 3; ++i) {
      const sql = `SELECT id, code, series, step, CASE WHEN id = ${i} THEN 0.5 ELSE amount END AS amount FROM rows`;
      rewrites.push(await costOf(() => stele.call('query', { sql, save_as: 'rewritten' })));
    }
    const rewrite = medianCost(rewrites);

    const figures: Figure[] = [];
    for (const key of keys) {
      const costs: Cost[] = [];
      for (let i = 0; i <= upserts; ++i) {
        const row = { ...key.of(((i + 1) * 271_828) % rows), amount: i + 0.25 };
        const change = { table: 'rows', mode: 'upsert', key_columns: key.columns, rows: [row] };
        costs.push(
          await costOf(async () => {
            const { updated } = await stele.call('write_table', change);
            if (updated !== undefined && updated !== 1) throw new Error(`${String(updated)} rows were updated`);
          }),
        );
      }
      console.error(`  ${key.name}: the first took ${ms(costs[0]!.time)} and ${kb(costs[0]!.bytes)}`);
      const later = medianCost(costs.slice(1));
      const figure = (unit: string, ratio: number, from: string): Figure => ({
        subject: 'upsert',
        what: `1 row of 3 M by ${key.name}, ${unit} to a rewrite's`,
        ratio,
        target: 0.05,
        from,
      });
      figures.push(
        figure('time', later.time / rewrite.time, `${ms(later.time)} against ${ms(rewrite.time)}`),
        figure('bytes', later.bytes / rewrite.bytes, `${kb(later.bytes)} against ${kb(rewrite.bytes)}`),
      );
    }
    return figures;
  } finally {
    native.close();
    stele.close();
    folder.remove();
  }
}

/** Append: one row as a durable version, of a small and of a large table: cost follows the change and not the table. */
import { type Figure, median, ms, timedMs } from './figure.ts';
import { flightsFile, nativePeer, workFolder } from './peers.ts';
import { Stele } from './stele.ts';

const appends = 100;
const small = 'flights_3k';
const large = 'flights_3m';

export async function measureAppend(): Promise<Figure[]> {
  const folder = workFolder();
  const native = await nativePeer();
  const stele = await Stele.open();
  try {
    const sample = folder.path('sample.parquet');
    await native.run(`COPY (FROM '${flightsFile}' LIMIT 3000) TO '${sample}' (FORMAT parquet, COMPRESSION zstd)`);
    await stele.importFile(small, sample);
    await stele.importFile(large, flightsFile);

    const append = (table: string, i: number): Promise<number> => {
      const rows = [{ date: '2001-07-01 12:00:00', delay: i, distance: 100 + i, origin: 'SFO', destination: 'LAX' }];
      return timedMs(() => stele.call('write_table', { table, mode: 'append', rows }));
    };
    const times: Record<string, number[]> = { [small]: [], [large]: [] };
    for (let i = 0; i < appends; ++i) for (const table of [small, large]) times[table]!.push(await append(table, i));

    const [smallMs, largeMs] = [median(times[small]!), median(times[large]!)];
    return [
      {
        subject: 'append',
        what: 'one row as a durable version, p50 at 3 M rows to p50 at 3 K',
        ratio: largeMs / smallMs,
        target: 1.2,
        from: `${ms(largeMs)} against ${ms(smallMs)}`,
      },
    ];
  } finally {
    native.close();
    stele.close();
    folder.remove();
  }
}

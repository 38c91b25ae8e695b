/** Import: 3 M flights from Parquet, against what native DuckDB takes to read them and write zstd Parquet. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Figure, inTurn, ms, timedMs } from './figure.ts';
import { flightsFile, nativePeer, workFolder } from './peers.ts';
import { Stele } from './stele.ts';

const self = fileURLToPath(import.meta.url);
const rounds = 5;

/** The first call of a process: nothing of the module has run yet. Its compilation is the home's, before any call. */
async function coldMs(): Promise<number> {
  const stele = await Stele.open();
  try {
    return await timedMs(() => stele.importFile('flights', flightsFile));
  } finally {
    stele.close();
  }
}

export async function measureImport(): Promise<Figure[]> {
  const folder = workFolder();
  const native = await nativePeer();
  const stele = await Stele.open();
  const copy = folder.path('copy.parquet');
  try {
    await stele.importFile('flights', flightsFile);
    const [nativeMs, warmMs, firstMs] = await inTurn(rounds, [
      async () => {
        rmSync(copy, { force: true });
        return timedMs(() =>
          native.run(`COPY (FROM '${flightsFile}') TO '${copy}' (FORMAT parquet, COMPRESSION zstd)`),
        );
      },
      () => timedMs(() => stele.importFile('flights', flightsFile, 'replace')),
      async () => Number(execFileSync(process.execPath, [self], { encoding: 'utf8' })),
    ]);
    const figure = (what: string, time: number, target: number): Figure => ({
      subject: 'import',
      what,
      ratio: time / nativeMs!,
      target,
      from: `${ms(time)} against ${ms(nativeMs!)}`,
    });
    return [
      figure('flights-3m.parquet, warm, to native read and write', warmMs!, 1.5),
      figure('the same, first call of a fresh process', firstMs!, 2.5),
    ];
  } finally {
    native.close();
    stele.close();
    folder.remove();
  }
}

if (process.argv[1] === self) console.log(await coldMs());

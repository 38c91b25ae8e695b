/** CSV: 1 M rows of 10 columns, 97 MB, from the bytes of a local file to a committed version, against duckdb-wasm's own read_csv. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Figure, inTurn, ms, timedMs } from './figure.ts';
import { wasmPeer, workFolder } from './peers.ts';
import { Stele } from './stele.ts';

const rows = 1_000_000;
const rounds = 3;
const cities = ['Zürich', 'Málaga', 'Łódź', 'Paris', 'New York', 'São Paulo'];

/** The same rows at every run: integers, decimals, dates, timestamps, booleans, codes and words. */
function* csvLines(): Generator<string> {
  yield 'id,customer,day,at,city,note,amount,share,paid,code\n';
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const two = (value: number): string => String(value).padStart(2, '0');
  let block = '';
  for (let i = 1; i <= rows; ++i) {
    const day = `20${two(10 + random(15))}-${two(1 + random(12))}-${two(1 + random(28))}`;
    const note = i % 10 === 0 ? `"said ""yes"", again ${random(1000)}"` : `order of ${random(100_000)}`;
    block += `${i},${random(90_000)},${day},${day} ${two(random(24))}:${two(random(60))}:${two(random(60))},${cities[random(6)]},${note},${random(100_000) / 100},${random(10_000) / 10_000},${random(2) ? 'true' : 'false'},${two(random(100))}-${100_000 + random(900_000)}\n`;
    if (block.length < 1 << 16) continue;
    yield block;
    block = '';
  }
  yield block;
}

export async function writeCsv(path: string): Promise<number> {
  await pipeline(Readable.from(csvLines()), createWriteStream(path));
  return (await stat(path)).size;
}

export async function measureCsv(): Promise<Figure[]> {
  const folder = workFolder();
  const file = folder.path('rows.csv');
  const bytes = await writeCsv(file);
  const stele = await Stele.open();
  const wasm = await wasmPeer({ 'rows.csv': file });
  try {
    await stele.importFile('rows', file);
    const [ours, theirs] = await inTurn(rounds, [
      () => timedMs(() => stele.importFile('rows', file, 'replace')),
      () => timedMs(() => wasm.run("CREATE OR REPLACE TABLE rows AS FROM read_csv('rows.csv')")),
    ]);
    return [
      {
        subject: 'csv',
        what: `1 M rows × 10 columns, ${Math.round(bytes / 1e6)} MB, to a committed version, to duckdb-wasm's read_csv into memory`,
        ratio: ours! / theirs!,
        target: 1.5,
        from: `${ms(ours!)} against ${ms(theirs!)}`,
      },
    ];
  } finally {
    wasm.close();
    stele.close();
    folder.remove();
  }
}

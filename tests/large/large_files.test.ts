/**
 * Files that no memory holds: imported by the desk as a process of its own whose memory is read from the system. The short form
 * runs in every test run; `npm run soak` makes the files as large as they may be.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { ScenarioPlayer } from '../ts/support/scenario.ts';
import { temporaryFolder } from '../ts/support/temporary.ts';

const command = fileURLToPath(new URL('../../edge/desk/stele.ts', import.meta.url));
const long = process.env.STELE_LARGE !== undefined;
const csvBytes = long ? 2_000_000_000 : 40_000_000;
const parquetRows = long ? 60_000_000 : 1_000_000;
const processMbMax = 768;
const timeout = long ? 3_600_000 : 120_000;

/** A CSV file of so many bytes; answers its rows. */
async function writeCsv(path: string, bytes: number): Promise<number> {
  let rows = 0;
  function* blocks(): Generator<string> {
    yield 'id,at,city,amount,note\n';
    for (let written = 0; written < bytes;) {
      let block = '';
      for (; block.length < 1 << 20; ++rows)
        block += `${rows},2025-0${1 + (rows % 9)}-1${rows % 10} 08:00:${10 + (rows % 50)},city ${rows % 97},${(rows % 100_000) / 100},"note ""${rows % 1013}"", long enough to be one"\n`;
      written += block.length;
      yield block;
    }
  }
  await pipeline(Readable.from(blocks()), createWriteStream(path));
  return rows;
}

interface Imported {
  code: number;
  answer: Record<string, unknown>;
  error: string;
  peakMb: number;
}

/** `stele import`, with the most memory that its process held at any time, as the system counted it. */
function importByDesk(source: string, store: string): Promise<Imported> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, 'import', 't', source, '--file', store]);
    let out = '';
    let error = '';
    let peakMb = 0;
    const look = setInterval(() => {
      try {
        const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        if (found) peakMb = Math.max(peakMb, Number(found[1]) / 1024);
      } catch {
        // It has ended.
      }
    }, 50);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
    child.on('close', (code) => {
      clearInterval(look);
      resolve({ code: code ?? -1, answer: out ? (JSON.parse(out) as Record<string, unknown>) : {}, error, peakMb });
    });
  });
}

describe('the desk', () => {
  test(`imports a CSV of ${csvBytes / 1e6} MB within ${processMbMax} MB`, { timeout }, async () => {
    const folder = temporaryFolder();
    const rows = await writeCsv(join(folder, 'large.csv'), csvBytes);
    const begun = performance.now();
    const { code, answer, error, peakMb } = await importByDesk(join(folder, 'large.csv'), join(folder, 'store'));
    console.log(
      `CSV: ${csvBytes / 1e6} MB in ${Math.round((performance.now() - begun) / 1000)} s, ${Math.round(peakMb)} MB at most`,
    );
    expect({ code, error: code === 0 ? '' : error }).toEqual({ code: 0, error: '' });
    expect(answer).toMatchObject({ rows, rows_read: rows, rows_stored: rows, rows_skipped: 0 });
    expect(peakMb).toBeLessThan(processMbMax);
  });

  test(`imports a Parquet file of ${parquetRows / 1e6} M rows within ${processMbMax} MB`, { timeout }, async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'large.parquet');
    const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '1GB' });
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT i AS id, hash(i) % 1000000 AS n, md5(i::VARCHAR) AS word FROM range(${parquetRows}) r(i)) TO '${file}' (FORMAT parquet, COMPRESSION uncompressed, ROW_GROUP_SIZE 100000)`,
    );
    connection.closeSync();
    instance.closeSync();
    const { code, answer, peakMb } = await importByDesk(file, join(folder, 'store'));
    console.log(`Parquet: ${Math.round((await stat(file)).size / 1e6)} MB, ${Math.round(peakMb)} MB at most`);
    expect({ code, rows: answer.rows }).toEqual({ code: 0, rows: parquetRows });
    expect(peakMb).toBeLessThan(processMbMax);
  });

  // Case 20 c stops one at a smaller cap in every run.
  test.runIf(long)('stops a compressed bomb at the cap of unpacked bytes', { timeout }, async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'bomb.csv.gz');
    const bytes = 4_000_000_000;
    function* zeros(): Generator<Buffer> {
      yield Buffer.from('v\n');
      const block = Buffer.alloc(1 << 24, '0\n');
      for (let made = 0; made < bytes; made += block.length) yield block;
    }
    await pipeline(Readable.from(zeros()), createGzip({ level: 1 }), createWriteStream(file));
    const { code, error, peakMb } = await importByDesk(file, join(folder, 'store'));
    expect({ code, error }).toMatchObject({ code: 1, error: expect.stringContaining('holds more than') as string });
    expect(peakMb).toBeLessThan(processMbMax);
  });
});

test('10,000 columns are profiled in under 10 seconds', { timeout }, async () => {
  const url = 'https://files.example/wide.csv';
  const player = new ScenarioPlayer({ files: { [url]: { case: '23-wide-10000.csv' } } });
  expect(await player.play([{ tool: 'import_table', arguments: { table: 'w', source_url: url } }])).toEqual([]);
  const begun = performance.now();
  expect(await player.play([{ tool: 'describe_table', arguments: { table: 'w', detail: 'full' } }])).toEqual([]);
  const seconds = (performance.now() - begun) / 1000;
  console.log(`10,000 columns profiled in ${seconds.toFixed(1)} s`);
  if (long) expect(seconds).toBeLessThan(10);
  player.close();
});

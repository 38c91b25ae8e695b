/** Queries: the ten of queries.sql, against duckdb-wasm and native DuckDB that hold the same rows in memory. */
import { readFileSync } from 'node:fs';
import { type Figure, inTurn, ms, sum, timedMs } from './figure.ts';
import { airportsFile, flightsFile, nativePeer, type Peer, wasmPeer, workFolder } from './peers.ts';
import { Stele } from './stele.ts';

const rounds = 5;

export interface Query {
  name: string;
  sql: string;
}

/** Of a file whose first comment speaks of all of them. */
export function readQueries(file: URL): Query[] {
  const parts = readFileSync(file, 'utf8').split(/^-- /m).slice(2);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return { name: part.slice(0, end), sql: part.slice(end).trim().replace(/;$/, '') };
  });
}

async function loadNative(): Promise<Peer> {
  const native = await nativePeer();
  await native.run(`CREATE TABLE flights AS FROM '${flightsFile}'`);
  await native.run(`CREATE TABLE airports AS FROM '${airportsFile}'`);
  return native;
}

async function loadWasm(native: Peer): Promise<Peer> {
  const folder = workFolder();
  const csv = folder.path('flights.csv');
  await native.run(`COPY flights TO '${csv}' (HEADER)`);
  const wasm = await wasmPeer({ 'flights.csv': csv, 'airports.csv': airportsFile });
  folder.remove();
  const types =
    "{'date': 'TIMESTAMP', 'delay': 'BIGINT', 'distance': 'BIGINT', 'origin': 'VARCHAR', 'destination': 'VARCHAR'}";
  await wasm.run(`CREATE TABLE flights AS FROM read_csv('flights.csv', header = true, columns = ${types})`);
  await wasm.run(`CREATE TABLE airports AS FROM read_csv('airports.csv', header = true)`);
  return wasm;
}

async function loadStele(): Promise<Peer> {
  const stele = await Stele.open();
  await stele.importFile('flights', flightsFile);
  await stele.importFile('airports', airportsFile);
  return {
    run: async (sql) => ((await stele.query(sql)).rows as unknown[]).length,
    close: () => stele.close(),
  };
}

async function measuredRun(peer: Peer, { name, sql }: Query, rows: number): Promise<number> {
  let answered = 0;
  const time = await timedMs(async () => (answered = await peer.run(sql)));
  if (answered !== rows) throw new Error(`"${name}" answered ${answered} rows, not ${rows}`);
  return time;
}

export async function measureQueries(): Promise<Figure[]> {
  const queries = readQueries(new URL('queries.sql', import.meta.url));
  const native = await loadNative();
  const wasm = await loadWasm(native);
  const stele = await loadStele();
  const contenders = [stele, wasm, native];
  try {
    const times: number[][] = [[], [], []];
    for (const query of queries) {
      const rows = await native.run(query.sql);
      for (const peer of contenders) await measuredRun(peer, query, rows);
      const medians = await inTurn(
        rounds,
        contenders.map((peer) => () => measuredRun(peer, query, rows)),
      );
      for (const [i, time] of medians.entries()) times[i]!.push(time);
      const [ours, theirs, natives] = medians as [number, number, number];
      console.error(`  ${query.name.padEnd(16)} ${ms(ours)}, duckdb-wasm ${ms(theirs)}, native ${ms(natives)}`);
    }
    const [ours, theirs, natives] = times.map(sum) as [number, number, number];
    const figure = (what: string, other: number, target: number): Figure => ({
      subject: 'queries',
      what,
      ratio: ours / other,
      target,
      from: `${ms(ours)} against ${ms(other)}`,
    });
    return [
      figure('ten queries over 3 M rows, to duckdb-wasm in memory', theirs, 1.0),
      figure('the same, to native with one thread in memory', natives, 1.7),
    ];
  } finally {
    for (const peer of contenders) peer.close();
  }
}

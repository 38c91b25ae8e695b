/**
 * Page: Stele in a Chromium tab beside published duckdb-wasm, PGlite and sql.js, in one run of one browser with a profile on
 * disk. Each visit is to an origin of its own, so that nothing of another is warm.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { crash } from '../e2e/support/crash.ts';
import { serveStatic, type StaticServer } from '../e2e/support/static_server.ts';
import { type Figure, median, ms, quantile, sum, timedMs } from './figure.ts';
import type {} from './page/contender.ts';
import { airportsFile, flightsFile, nativePeer, workFolder } from './peers.ts';
import { readQueries } from './queries.ts';

const ours = 'stele';
const names = { stele: 'Stele', duckdb: 'duckdb-wasm', pglite: 'PGlite', sqljs: 'sql.js' };
type Name = keyof typeof names;
const contenders = Object.keys(names) as Name[];

const startRounds = 3;
const queryRounds = 3;
const rowsWritten = 200;
const handOverRounds = 5;
const handOverMsMax = 2000;
/** A visit that is long enough for browsers to keep what a later one can use: code, and what a service worker fetches. */
const settleMs = 4000;

/** One measure for each contender, in milliseconds. */
type Measured = Record<Name, number>;
type Times = Record<Name, number[]>;

const built = fileURLToPath(new URL('../build/bench', import.meta.url));

class Visits {
  #context: BrowserContext;
  #hosts: StaticServer[] = [];

  private constructor(context: BrowserContext) {
    this.#context = context;
  }

  static async begin(profile: string): Promise<Visits> {
    await build({ configFile: fileURLToPath(new URL('page/vite.config.ts', import.meta.url)), logLevel: 'error' });
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env.STELE_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
    });
    return new Visits(context);
  }

  /** An origin that this browser has not seen. */
  async newOrigin(): Promise<string> {
    const host = await serveStatic(built);
    this.#hosts.push(host);
    return host.origin;
  }

  async page(origin: string, name: Name): Promise<Page> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(600_000);
    await page.goto(`${origin}/${name}.html`);
    await page.waitForFunction(() => 'contender' in window);
    return page;
  }

  async end(): Promise<void> {
    await this.#context.close();
    await Promise.all(this.#hosts.map((host) => host.close()));
  }
}

interface Start {
  /** To the answer of a first query. */
  queriedMs: number;
  /** To the list of its tables, by whoever has it earlier than that. */
  listedMs: number | undefined;
}

/** What the page measures of itself, so that the driver's own time is not in it. */
function opened(page: Page, isDurable: boolean): Promise<Start> {
  return page.evaluate(async (isDurable) => {
    const begun = performance.now();
    const opened = await window.contender.open(isDurable);
    return {
      queriedMs: performance.now() - begun,
      listedMs: opened?.listedAt === undefined ? undefined : opened.listedAt - begun,
    };
  }, isDurable);
}

interface Visit {
  queried: Measured;
  /** Of the others their first query, which is the first that they answer. */
  answered: Measured;
}

async function measureStarts(visits: Visits): Promise<{ first: Visit; later: Visit }> {
  const visited = () => ({ queried: noTimes(), answered: noTimes() });
  const first = visited();
  const later = visited();
  for (let round = 0; round < startRounds; ++round) {
    for (const name of contenders) {
      const origin = await visits.newOrigin();
      for (const times of [first, undefined, later]) {
        const page = await visits.page(origin, name);
        const { queriedMs, listedMs } = await opened(page, false);
        times?.queried[name].push(queriedMs);
        times?.answered[name].push(listedMs ?? queriedMs);
        if (times !== later) await page.waitForTimeout(settleMs);
        await page.close();
      }
    }
  }
  const mediansOf = (times: Times) => eachOf((name) => median(times[name]));
  const medians = ({ queried, answered }: typeof first) => ({
    queried: mediansOf(queried),
    answered: mediansOf(answered),
  });
  return { first: medians(first), later: medians(later) };
}

async function measureWrites(visits: Visits): Promise<{ p50: Measured; p95: Measured }> {
  const times = noTimes();
  for (const name of contenders) {
    const page = await visits.page(await visits.newOrigin(), name);
    await opened(page, true);
    times[name] = await page.evaluate(async (rows) => {
      const times: number[] = [];
      for (let n = 0; n < rows; ++n) {
        const begun = performance.now();
        await window.contender.writeRow(n);
        times.push(performance.now() - begun);
      }
      return times;
    }, rowsWritten);
    await page.close();
  }
  return {
    p50: eachOf((name) => median(times[name])),
    p95: eachOf((name) => quantile(times[name], 0.95)),
  };
}

/** From the crash of the tab that holds the store until another has answered what was asked of it meanwhile. */
async function measureHandOver(visits: Visits): Promise<number> {
  const origin = await visits.newOrigin();
  const times: number[] = [];
  let leader = await visits.page(origin, ours);
  await opened(leader, true);
  for (let round = 0; round < handOverRounds; ++round) {
    const next = await visits.page(origin, ours);
    await opened(next, true);
    times.push(
      await timedMs(async () => {
        const crashed = crash(leader);
        await timedQuery(next, 'SELECT 42');
        await crashed;
      }),
    );
    leader = next;
  }
  await leader.close();
  return Math.max(...times);
}

interface Files {
  flights: string;
  airports: string;
}

async function importCsv(page: Page, table: string, path: string): Promise<number> {
  await page.locator('input').setInputFiles(path);
  return page.evaluate(async (table) => {
    const file = document.querySelector<HTMLInputElement>('input')!.files![0]!;
    const begun = performance.now();
    await window.contender.importCsv(table, file);
    return performance.now() - begun;
  }, table);
}

async function measureQueries(visits: Visits, files: Files): Promise<{ imported: Measured; queried: Measured }> {
  const pages = new Map<Name, Page>();
  const imported = noTimes();
  const queried = noTimes();
  for (const name of contenders) {
    const page = await visits.page(await visits.newOrigin(), name);
    pages.set(name, page);
    await opened(page, true);
    await importCsv(page, 'airports', files.airports);
    imported[name].push(await importCsv(page, 'flights', files.flights));
  }
  tell('1 M rows of CSV', imported);
  for (const { name: query, sql } of readQueries(new URL('page/queries.sql', import.meta.url))) {
    const times = noTimes();
    const rows = new Set<number>();
    for (let round = 0; round < queryRounds; ++round) {
      for (const [name, page] of pages) {
        const answered = await timedQuery(page, sql);
        rows.add(answered.rows);
        times[name].push(answered.ms);
      }
    }
    if (rows.size !== 1) throw new Error(`"${query}" answered ${[...rows].join(', ')} rows`);
    for (const name of contenders) queried[name].push(median(times[name]));
    tell(query, times);
  }
  for (const page of pages.values()) await page.close();
  return { imported: eachOf((name) => sum(imported[name])), queried: eachOf((name) => sum(queried[name])) };
}

function timedQuery(page: Page, sql: string): Promise<{ rows: number; ms: number }> {
  return page.evaluate(async (sql) => {
    const begun = performance.now();
    const rows = await window.contender.query(sql);
    return { rows, ms: performance.now() - begun };
  }, sql);
}

function tell(what: string, times: Times): void {
  const each = contenders.map((name) => `${names[name]} ${ms(median(times[name]))}`);
  console.error(`  ${what.padEnd(16)} ${each.join(', ')}`);
}

async function csvFiles(folder: ReturnType<typeof workFolder>): Promise<Files> {
  const native = await nativePeer();
  const files = { flights: folder.path('flights.csv'), airports: folder.path('airports.csv') };
  await native.run(`COPY (FROM '${flightsFile}' LIMIT 1000000) TO '${files.flights}' (HEADER)`);
  await native.run(`COPY (SELECT iata, state FROM '${airportsFile}') TO '${files.airports}' (HEADER)`);
  native.close();
  return files;
}

function noTimes(): Times {
  return { stele: [], duckdb: [], pglite: [], sqljs: [] };
}

function eachOf(value: (name: Name) => number): Measured {
  return Object.fromEntries(contenders.map((name) => [name, value(name)])) as Measured;
}

/** A line for each peer; `targets` are for those that the ratio is held to. */
function figures(what: string, measured: Measured, targets: Partial<Measured> = {}): Figure[] {
  return contenders
    .filter((name) => name !== ours)
    .map((name) => ({
      subject: 'page',
      what: `${what}, to ${names[name]}`,
      ratio: measured[ours] / measured[name],
      target: targets[name],
      from: `${ms(measured[ours])} against ${ms(measured[name])}`,
    }));
}

export async function measurePage(): Promise<Figure[]> {
  const profile = mkdtempSync(join(tmpdir(), 'stele-bench-profile-'));
  const folder = workFolder();
  const visits = await Visits.begin(profile);
  try {
    const { first, later } = await measureStarts(visits);
    const { p50, p95 } = await measureWrites(visits);
    const handOver = await measureHandOver(visits);
    const { imported, queried } = await measureQueries(visits, await csvFiles(folder));
    return [
      ...figures('first visit to the first answer, the list of tables', first.answered, { duckdb: 0.6 }),
      ...figures('first visit to the first query', first.queried),
      ...figures('later visit to the first answer, the list of tables', later.answered, { duckdb: 0.5 }),
      ...figures('later visit to the first query', later.queried),
      ...figures('one durable row, p50', p50),
      ...figures('one durable row, p95', p95),
      ...figures('1 M rows of CSV', imported),
      ...figures('ten queries over 1 M rows', queried),
      {
        subject: 'page',
        what: `a tab's crash to the next one's answer, the longest of ${handOverRounds}, to what it may take`,
        ratio: handOver / handOverMsMax,
        target: 1,
        from: `${ms(handOver)} against ${ms(handOverMsMax)}`,
      },
    ];
  } finally {
    await visits.end();
    folder.remove();
    rmSync(profile, { recursive: true, force: true });
  }
}

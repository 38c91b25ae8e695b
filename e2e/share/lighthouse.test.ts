/**
 * Lighthouse on the pages that strangers open, as it measures them by itself: a middling phone on a slow network, simulated from
 * what was loaded. It is run as a library, which reports to nobody, in a Chromium that is let reach this machine alone.
 */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Browser } from '@playwright/test';
import lighthouse from 'lighthouse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/ts/support/temporary.ts';
import { call } from '../edge/support/client.ts';
import { launch } from './support/chromium.ts';
import { type SharedTable, shareTable, table } from './support/shared_table.ts';

/** At the most: what else a machine does only ever makes a page slower. */
const runsMax = 6;
const scoreMin = 0.95;
const state = temporaryFolder(afterAll);
let shared: SharedTable;
let browser: Browser;
let port: number;

beforeAll(async () => {
  shared = await shareTable(state);
  port = await freePort();
  // Names of other hosts lead nowhere.
  browser = await launch([
    `--remote-debugging-port=${port}`,
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ]);
});
afterAll(async () => {
  await browser?.close();
  await shared?.client.close();
  await shared?.edge.kill();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => resolve(free));
    });
  });
}

interface Measured {
  performance: number;
  accessibility: number;
  /** Audits of accessibility that failed. */
  failed: string[];
  firstPaintMs: number;
  bytes: number;
}

async function measure(url: string): Promise<Measured> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'silent',
    onlyCategories: ['performance', 'accessibility'],
  });
  const { categories, audits, runtimeError } = result!.lhr;
  expect(runtimeError).toBeUndefined();
  return {
    performance: categories.performance!.score!,
    accessibility: categories.accessibility!.score!,
    failed: categories.accessibility!.auditRefs.map(({ id }) => id).filter((id) => audits[id]!.score === 0),
    firstPaintMs: Math.round(audits['first-contentful-paint']!.numericValue!),
    bytes: audits['total-byte-weight']!.numericValue!,
  };
}

/** The first run that is fast enough, or the best of all. */
async function best(url: string, name: string): Promise<Measured> {
  const measured: Measured[] = [];
  while (measured.length < runsMax && !measured.some(({ performance }) => performance >= scoreMin))
    measured.push(await measure(url));
  const shown = measured.map(({ performance }) => Math.round(performance * 100)).join(', ');
  const first = measured.toSorted((a, b) => b.performance - a.performance)[0]!;
  const { accessibility, firstPaintMs, bytes } = first;
  console.log(
    `Lighthouse on ${name}: performance ${shown}, accessibility ${Math.round(accessibility * 100)}, first paint after ${firstPaintMs} ms, ${Math.round(bytes / 1000)} kB`,
  );
  return first;
}

test('a shared table’s page', { timeout: 240_000 }, async () => {
  const { performance, accessibility, failed } = await best(shared.url, 'the page of a shared table');
  expect(failed).toEqual([]);
  expect(accessibility).toBeGreaterThanOrEqual(scoreMin);
  expect(performance).toBeGreaterThanOrEqual(scoreMin);
});

test('a receipt’s page', { timeout: 240_000 }, async () => {
  const sql = `SELECT city, count(*) AS n FROM "${table}" GROUP BY ALL ORDER BY city`;
  const { receipt } = await call(shared.client, 'query', { sql, receipt: true });
  const { id } = receipt as { id: string };
  const url = `${shared.edge.origin}/w/main/r/${id}`;
  const { performance, accessibility, failed } = await best(url, 'the page of a receipt');
  expect(failed).toEqual([]);
  expect(accessibility).toBeGreaterThanOrEqual(scoreMin);
  expect(performance).toBeGreaterThanOrEqual(scoreMin);
});

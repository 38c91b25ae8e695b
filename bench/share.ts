/**
 * Share: the rows of a public table by api_url, in workerd with the bundle that a deployment takes, beside a Node server over
 * native DuckDB that writes the same formats; and how soon the share page and the embed show the first row, and what they
 * load, beside a bare table that hyparquet fills from a file.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { build } from 'vite';
import { call, connect } from '../e2e/edge/support/client.ts';
import { setup } from '../e2e/edge/support/global_setup.ts';
import { LocalEdge } from '../e2e/edge/support/local_edge.ts';
import { Owner } from '../e2e/edge/support/owner.ts';
import { serveStatic } from '../e2e/support/static_server.ts';
import { type Figure, inTurn, kb, median, ms, timedMs } from './figure.ts';
import { workFolder } from './peers.ts';

const rowCount = 100_000;
const perWrite = 5_000;
const rounds = 7;
const formats = ['json', 'csv', 'arrow'] as const;
type Format = (typeof formats)[number];

interface Row {
  id: number;
  city: string;
  amount: number;
}

const cities = ['Lisbon', 'Oslo', 'Zürich', 'Kyoto'];
const rows: Row[] = Array.from({ length: rowCount }, (_, i) => ({ id: i, city: cities[i % 4]!, amount: i / 4 }));

interface Shared {
  url: string;
  api_url: string;
}

async function share(edge: LocalEdge): Promise<Shared> {
  const owner = await Owner.setUp(edge);
  const client = await connect(`${edge.origin}/mcp`, await owner.createToken());
  for (let at = 0; at < rowCount; at += perWrite) {
    const mode = at === 0 ? 'create' : 'append';
    await call(client, 'write_table', { table: 'orders', mode, rows: rows.slice(at, at + perWrite) });
  }
  const shared = (await call(client, 'share_table', { table: 'orders' })) as unknown as Shared;
  await client.close();
  return shared;
}

interface Peer {
  origin: string;
  close(): void;
}

/** Native DuckDB with one thread holds the rows; each request reads all of them and writes them out. */
async function nativeServer(): Promise<Peer> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE orders AS SELECT i AS id, ['Lisbon', 'Oslo', 'Zürich', 'Kyoto'][i % 4 + 1] AS city, i / 4 AS amount
     FROM range(${rowCount}) r(i)`,
  );
  const writers: Record<Format, () => Promise<string | Uint8Array>> = {
    json: async () => JSON.stringify((await connection.runAndReadAll('FROM orders')).getRowsJson()),
    csv: async () => {
      const read = (await connection.runAndReadAll('FROM orders')).getRowsJson();
      return read
        .map((row) => `${row.map((cell) => (cell === null ? '' : `"${String(cell)}"`)).join(',')}\r\n`)
        .join('');
    },
    arrow: async () => {
      const columns = (await connection.runAndReadAll('FROM orders')).getColumnsObject();
      return tableToIPC(tableFromArrays(columns as Record<string, unknown[]>), 'stream');
    },
  };
  const server = createServer((request, response) => {
    void writers[(request.url ?? '').slice(1) as Format]().then((body) => response.end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const fetched = (url: string) =>
  timedMs(async () => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    await response.arrayBuffer();
  });

async function servingFigures({ api_url: apiUrl }: Shared): Promise<Figure[]> {
  const native = await nativeServer();
  const figures: Figure[] = [];
  const perSecond = (time: number) => `${Math.round(rowCount / time).toLocaleString('en')} k rows/s`;
  try {
    for (const format of formats) {
      const [ours = 0, theirs = 0] = await inTurn(rounds, [
        () => fetched(`${apiUrl}?format=${format}&limit=all`),
        () => fetched(`${native.origin}/${format}`),
      ]);
      figures.push({
        subject: 'share',
        what: `${rowCount.toLocaleString('en')} rows by api_url as ${format.toUpperCase()}, to a Node server over native DuckDB`,
        ratio: ours / theirs,
        target: undefined,
        from: `${perSecond(ours)} against ${perSecond(theirs)}`,
      });
    }
    return figures;
  } finally {
    native.close();
  }
}

interface Shown {
  /** From navigation to the first row. */
  firstRowMs: number;
  /** All that was loaded for it, each response compressed. */
  bytes: number;
}

/** A visit by a browser that has seen nothing before. */
async function shown(browser: Browser, url: string, cell: string): Promise<Shown> {
  const context = await browser.newContext();
  const page: Page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    sizes.push(
      response.body().then(
        (body) => gzipSync(body).length,
        () => 0,
      ),
    );
  });
  const firstRowMs = await timedMs(async () => {
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(cell).first().waitFor();
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return { firstRowMs, bytes };
}

async function pageFigures(edge: LocalEdge, { url, api_url: apiUrl }: Shared): Promise<Figure[]> {
  const folder = workFolder();
  const root = fileURLToPath(new URL('share', import.meta.url));
  await build({ root, logLevel: 'error', build: { outDir: folder.path('site'), emptyOutDir: true, target: 'es2023' } });
  writeFileSync(
    folder.path('site/rows.parquet'),
    new Uint8Array(await (await fetch(`${apiUrl}?format=parquet&limit=all`)).arrayBuffer()),
  );
  writeFileSync(
    folder.path('site/embed.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Embed</title>
    <script type="module" src="${edge.origin}/assets/embed.js"></script><stele-table src="${apiUrl}"></stele-table></html>`,
  );
  const site = await serveStatic(folder.path('site'), { ranges: true });
  const browser = await chromium.launch({
    executablePath: process.env.STELE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
  const contenders = [
    { what: 'the share page', url, cell: 'st-grid tbody td[aria-colindex]' },
    { what: 'the embed', url: `${site.origin}/embed.html`, cell: 'st-grid tbody td[aria-colindex]' },
    { what: 'hyparquet', url: `${site.origin}/`, cell: 'tbody td' },
  ];
  try {
    const seen: Shown[][] = contenders.map(() => []);
    for (let round = 0; round < rounds; ++round)
      for (const [i, { url, cell }] of contenders.entries()) seen[i]!.push(await shown(browser, url, cell));
    const [page, embed, bare] = seen.map((visits) => ({
      firstRowMs: median(visits.map(({ firstRowMs }) => firstRowMs)),
      bytes: median(visits.map(({ bytes }) => bytes)),
    })) as [Shown, Shown, Shown];
    const against = (what: string, ours: Shown): Figure[] => [
      {
        subject: 'share',
        what: `${what}: time to the first row, to hyparquet with a bare table`,
        ratio: ours.firstRowMs / bare.firstRowMs,
        target: undefined,
        from: `${ms(ours.firstRowMs)} against ${ms(bare.firstRowMs)}`,
      },
      {
        subject: 'share',
        what: `${what}: bytes loaded until then, compressed, to the same`,
        ratio: ours.bytes / bare.bytes,
        target: undefined,
        from: `${kb(ours.bytes)} against ${kb(bare.bytes)}`,
      },
    ];
    return [...against('the share page', page), ...against('the embed', embed)];
  } finally {
    await browser.close();
    await site.close();
    folder.remove();
  }
}

export async function measureShare(): Promise<Figure[]> {
  await setup();
  const folder = workFolder();
  const edge = await LocalEdge.start({ state: folder.path('state') });
  try {
    const shared = await share(edge);
    const serving = await servingFigures(shared);
    return [...serving, ...(await pageFigures(edge, shared))];
  } finally {
    await edge.kill();
    folder.remove();
  }
}

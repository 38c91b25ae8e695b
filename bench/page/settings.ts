/**
 * node bench/page/settings.ts [PATTERN]: SQLite's settings on the page's pool, those whose names match, side by side in one
 * Chromium, three rounds in turn. The choice that docs/homes.md explains comes from here.
 */
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '../../e2e/support/static_server.ts';
import type { SettingsCase, SettingsFigures } from '../../e2e/harness/settings_worker.ts';
import type {} from '../../e2e/harness/harness.ts';

const rounds = Number(process.env.STELE_ROUNDS ?? 3);
const wanted = new RegExp(process.argv[2] ?? '');
const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const journals: Record<string, string[]> = {
  wal: ['locking_mode = EXCLUSIVE', 'journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 256'],
  truncate: ['journal_mode = TRUNCATE', 'synchronous = FULL'],
  persist: ['locking_mode = EXCLUSIVE', 'journal_mode = PERSIST', 'synchronous = FULL'],
};
const cases: SettingsCase[] = [8192, 16384, 32768, 65536].flatMap((page) =>
  Object.entries(journals).map(([name, pragmas]) => ({
    name: `${name}-${page}`,
    pragmas: [`page_size = ${page}`, 'cache_size = -16384', 'temp_store = MEMORY', ...pragmas],
  })),
);
cases.push({
  name: 'wal-65536-vacuum',
  pragmas: ['page_size = 65536', 'auto_vacuum = INCREMENTAL', 'cache_size = -16384', ...journals.wal!],
});

await build({ configFile: root('web/vite.config.ts'), mode: 'harness', logLevel: 'warn' });
const host = await serveStatic(root('build/harness'));
const browser = await chromium.launch({
  executablePath: process.env.STELE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
});
const page = await browser.newPage();
await page.goto(`${host.origin}/`);
const best = new Map<string, SettingsFigures>();
for (let round = 0; round < rounds; ++round) {
  for (const settings of cases.filter(({ name }) => wanted.test(name))) {
    const figures = await page.evaluate((settings) => window.stele.measureSettings(settings), settings);
    const kept = best.get(settings.name);
    best.set(settings.name, kept ? least(kept, figures) : figures);
    console.log(JSON.stringify(rounded(figures)));
  }
}
await browser.close();
await host.close();
console.table([...best.values()].map((figures) => rounded(figures)));

/** Of each figure the best round: other work on the machine only ever adds. */
function least(a: SettingsFigures, b: SettingsFigures): SettingsFigures {
  return {
    name: a.name,
    smallCommitMsP50: Math.min(a.smallCommitMsP50, b.smallCommitMsP50),
    smallCommitMsP95: Math.min(a.smallCommitMsP95, b.smallCommitMsP95),
    bulkWriteMs: Math.min(a.bulkWriteMs, b.bulkWriteMs),
    bulkReadMs: Math.min(a.bulkReadMs, b.bulkReadMs),
  };
}

function rounded({ name, ...figures }: SettingsFigures): Record<string, string | number> {
  return { name, ...Object.fromEntries(Object.entries(figures).map(([key, ms]) => [key, Math.round(ms * 10) / 10])) };
}

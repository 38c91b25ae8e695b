/** What is deployed fits what Workers allow: https://developers.cloudflare.com/workers/platform/limits/ */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleFolder, configFile, publicFolder, rootFolder } from '../../edge/operate/folders.ts';
import { readJsonc } from './support/workerd.ts';

const MiB = 1 << 20;
const scriptBytesMax = 64 * MiB;
const scriptGzipBytesMax = 10 * MiB;
const assetBytesMax = 25 * MiB;

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('script and module are within a paid plan’s size, and compressed within what is uploaded at most', () => {
  const uploaded = filesIn(bundleFolder).filter((file) => /\.(js|wasm)$/.test(file));
  expect(uploaded.map((file) => file.split('.').at(-1)).sort()).toEqual(['js', 'wasm']);
  const bytes = uploaded.map((file) => readFileSync(file));
  const sum = bytes.reduce((total, { length }) => total + length, 0);
  const gzip = bytes.reduce((total, file) => total + gzipSync(file).length, 0);
  console.log(`script and module: ${(sum / MiB).toFixed(1)} MiB, ${(gzip / MiB).toFixed(1)} MiB gzip`);
  expect(sum).toBeLessThan(scriptBytesMax);
  expect(gzip).toBeLessThan(scriptGzipBytesMax);
});

test('each static file is within what an asset may have', () => {
  const assets = filesIn(publicFolder);
  expect(assets.length).toBeGreaterThan(5);
  for (const file of assets) expect(statSync(file).size).toBeLessThan(assetBytesMax);
});

test('the module is no asset as it is, and one compressed', () => {
  const module = readFileSync(`${rootFolder}build/wasm/stele.wasm`);
  expect(module.length).toBeGreaterThan(assetBytesMax);
  expect(gzipSync(module).length).toBeLessThan(assetBytesMax);
});

test('a request may take minutes of CPU, and no more', () => {
  const { limits } = readJsonc(configFile) as { limits: { cpu_ms: number } };
  expect(limits.cpu_ms).toBeGreaterThanOrEqual(60_000);
  expect(limits.cpu_ms).toBeLessThanOrEqual(300_000);
});

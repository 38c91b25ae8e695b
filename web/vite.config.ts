/**
 * The pages' build: `npm run build:web` lays them in build/web, with names by content, for any static host. Mode "harness"
 * builds the pages of e2e/harness instead, which give tests the worker without the app.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bundleFiles } from './vite/bundle_files.ts';
import { leanSqlite } from './vite/lean_sqlite.ts';
import { moduleFile } from './vite/module_file.ts';
import { offline } from './vite/offline.ts';
import { framePage, receiptFrame, tableFrame } from './vite/frame_page.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ mode }) => {
  const harness = mode === 'harness';
  const root = harness ? folder('../e2e/harness') : folder('.');
  const pages = readdirSync(root).filter((name) => name.endsWith('.html'));
  const plugins = () => [moduleFile(), leanSqlite()];
  return {
    root,
    base: process.env.STELE_BASE ?? '/', // e.g. /tables/, below a path of the host
    plugins: harness
      ? plugins()
      : [...plugins(), bundleFiles(), framePage(receiptFrame), framePage(tableFrame), offline()],
    worker: { format: 'es', plugins },
    optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
    build: {
      outDir: harness ? folder('../build/harness') : folder('../build/web'),
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 600,
      rollupOptions: { input: pages.map((name) => `${root.replace(/\/$/, '')}/${name}`) },
    },
  };
});

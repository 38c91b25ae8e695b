/** Builds the bench's pages into build/bench, one a contender, with names by content as the app's. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { leanSqlite } from '../../web/vite/lean_sqlite.ts';
import { moduleFile } from '../../web/vite/module_file.ts';
import { offline } from '../../web/vite/offline.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Only Stele has a service worker, as in the app. */
const isPeers = (name: string) => /duckdb|pglite|sqljs|sql-wasm|initdb|memfs2opfs|nodefs/.test(name);
const plugins = () => [moduleFile(), leanSqlite()];

export default defineConfig({
  root,
  plugins: [...plugins(), offline((name) => !isPeers(name))],
  worker: { format: 'es', plugins },
  build: {
    outDir: fileURLToPath(new URL('../../build/bench', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4000,
    rollupOptions: {
      input: readdirSync(root)
        .filter((name) => name.endsWith('.html'))
        .map((name) => `${root}${name}`),
    },
  },
});

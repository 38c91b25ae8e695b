/** Builds the bench's pages into build/bench, one a contender, with names by content as the app's. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { leanSqlite } from '../../web/vite/lean_sqlite.ts';
import { moduleFile } from '../../web/vite/module_file.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const plugins = () => [moduleFile(), leanSqlite()];

export default defineConfig({
  root,
  plugins: plugins(),
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

/**
 * What homes serve to whoever has a link: the scripts and styles of their pages, laid in build/served. Names are not by content
 * but for what is loaded later, since pages that others wrote name them.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('.'),
  publicDir: false,
  // The same also where a test runner, whose NODE_ENV says otherwise, builds it.
  resolve: { conditions: ['module', 'browser', 'production'] },
  build: {
    outDir: folder('../build/served'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    rollupOptions: {
      input: { share: folder('share/page.ts') },
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});

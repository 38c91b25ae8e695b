/** `npm run build:extension` lays the extension in build/extension, to be loaded unpacked. */
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('.'),
  base: './',
  plugins: [
    {
      name: 'stele:extension-manifest',
      closeBundle: () => copyFileSync(folder('manifest.json'), folder('../../build/extension/manifest.json')),
    },
  ],
  build: {
    outDir: folder('../../build/extension'),
    emptyOutDir: true,
    target: 'chrome116',
    // What a reader of the unpacked extension finds is what was written.
    minify: false,
    modulePreload: false,
    rollupOptions: {
      input: ['panel.html', 'background.ts', 'content.ts'].map(folder),
      output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]', chunkFileNames: '[name].js' },
    },
  },
});

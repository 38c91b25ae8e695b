/**
 * `node web/served.ts` lays in build/served what homes serve to whoever has a link: the scripts and styles of the pages of shared
 * tables and receipts, and the embed. Names are not by content, since pages that others wrote name them. Each part is built by
 * itself, so that it is one file and not pieces that wait for each other. In build/bundle lies what a table's bundle is made with.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig } from 'vite';
import { buildBundleFiles } from './vite/bundle_files.ts';
import { framePage, receiptFrame } from './vite/frame_page.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Part {
  file: string;
  more?: InlineConfig;
}

const parts: Record<string, Part> = {
  share: { file: 'share/page.ts' },
  // What it loads when it is needed is a file of its own.
  embed: { file: 'embed/embed.ts' },
  receipt: { file: 'receipt/served_page.ts', more: { base: '/', plugins: [framePage(receiptFrame)] } },
};

const options = (entry: string, { file, more }: Part): InlineConfig => ({
  configFile: false,
  logLevel: 'warn',
  root: folder('.'),
  base: './',
  publicDir: false,
  // The same also where a test runner, whose NODE_ENV says otherwise, builds it.
  resolve: { conditions: ['module', 'browser', 'production'] },
  build: {
    outDir: folder('../build/served'),
    emptyOutDir: false,
    target: 'es2023',
    // light-dark() stays: what stands in for it would follow the system where an embedding page is light.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { [entry]: folder(file) },
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: `assets/${entry}_[name].js`,
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
  ...more,
});

export async function buildServed(): Promise<void> {
  rmSync(folder('../build/served'), { recursive: true, force: true });
  for (const [entry, part] of Object.entries(parts)) await build(options(entry, part));
  await buildForBundles();
}

async function buildForBundles(): Promise<void> {
  const output = folder('../build/bundle/');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(`${output}embed`, { recursive: true });
  const { scripts, style } = await buildBundleFiles();
  for (const [name, text] of Object.entries(scripts)) writeFileSync(`${output}embed/${name}`, text);
  writeFileSync(`${output}page.css`, style);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServed();

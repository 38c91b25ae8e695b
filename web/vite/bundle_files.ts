/**
 * Builds what a bundle's page loads: the embed as homes serve it, and the page's styles. The app has them as text in a part of its
 * own, which is loaded when a bundle is made; the desk reads them from build/bundle.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import type { PageFiles } from '../bundle/bundle.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function buildBundleFiles(): Promise<PageFiles> {
  return {
    scripts: await built(path('../embed/embed.ts'), '.js'),
    style: Object.values(await built(path('../bundle/page.css'), '.css')).join(''),
  };
}

/** Texts by file name. */
async function built(entry: string, ending: string): Promise<Record<string, string>> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    root: path('..'),
    base: './',
    publicDir: false,
    // The same also where a test runner, whose NODE_ENV says otherwise, builds it.
    resolve: { conditions: ['module', 'browser', 'production'] },
    build: {
      write: false,
      target: 'es2023',
      // light-dark() stays, as in what homes serve.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: { input: entry, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
  });
  const parts = [output].flat().flatMap((one) => ('output' in one ? one.output : []));
  const wanted = parts.filter(({ fileName }) => fileName.endsWith(ending));
  if (wanted.length === 0) throw new Error(`${entry} was not built`);
  return Object.fromEntries(
    wanted.map((part) => [part.fileName, part.type === 'chunk' ? part.code : String(part.source)]),
  );
}

const name = 'virtual:bundle-files';

export function bundleFiles(): Plugin {
  return {
    name: 'stele:bundle-files',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      return id === `\0${name}` ? `export const files = ${JSON.stringify(await buildBundleFiles())};` : null;
    },
  };
}

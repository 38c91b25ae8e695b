/** Builds the service worker last, with the list of what the build laid out. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type ResolvedConfig, type Rollup } from 'vite';

const entry = fileURLToPath(new URL('../service_worker.ts', import.meta.url));

/** `isKept` says which files, if not all. */
export function offline(isKept: (name: string) => boolean = () => true): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'stele:offline',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    // After Vite's own, which lays the pages.
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const names = Object.keys(bundle).filter(isKept).sort();
        const pages = names.filter((name) => name.endsWith('.html'));
        const assets = names.filter((name) => !name.endsWith('.html') && !name.endsWith('.map'));
        const version = createHash('sha256');
        for (const name of names) version.update(name).update(contentOf(bundle[name]!));
        const files = { version: version.digest('hex').slice(0, 16), assets, pages };
        this.emitFile({ type: 'asset', fileName: 'service_worker.js', source: await built(config, files) });
      },
    },
  };
}

function contentOf(output: Rollup.OutputAsset | Rollup.OutputChunk): string | Uint8Array {
  return output.type === 'chunk' ? output.code : output.source;
}

async function built({ build: { target } }: ResolvedConfig, files: object): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    define: { buildFiles: JSON.stringify(files) },
    build: { write: false, target, lib: { entry, formats: ['es'], fileName: 'service_worker' } },
  });
  const [{ output }] = result as [Rollup.RollupOutput];
  return output[0].code;
}

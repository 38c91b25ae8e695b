/**
 * Adds receipt_view.html to the build: the frame in which a receipt is shown. Its script is one plain script without imports,
 * since a frame with an origin of its own may not fetch modules of this one, and its policy lets it reach nothing else.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const entry = fileURLToPath(new URL('../receipt/view.ts', import.meta.url));

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function receiptView(): Plugin {
  let base = '/';
  return {
    name: 'stele:receipt-view',
    apply: 'build',
    configResolved(config) {
      base = config.base;
    },
    async generateBundle() {
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        resolve: { conditions: ['module', 'browser', 'production'] },
        build: {
          write: false,
          target: 'es2023',
          assetsInlineLimit: 0,
          lib: { entry, formats: ['iife'], name: 'receiptView', fileName: 'receipt_view', cssFileName: 'receipt_view' },
        },
      });
      const [output] = Array.isArray(built) ? built : [built];
      if (!output || !('output' in output)) throw new Error('the frame of receipts was not built');
      const names: string[] = [];
      for (const part of output.output) {
        const source = part.type === 'chunk' ? part.code : part.source;
        const name = part.type === 'chunk' ? 'receipt_view.js' : 'receipt_view.css';
        names.push(base + this.getFileName(this.emitFile({ type: 'asset', name, source })));
      }
      this.emitFile({ type: 'asset', fileName: 'receipt_view.html', source: page(names) });
    },
  };
}

function page(files: string[]): string {
  const tags = files.map((file) =>
    file.endsWith('.css') ? `<link rel="stylesheet" href="${file}" />` : `<script defer src="${file}"></script>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>Receipt</title>
    ${tags.join('\n    ')}
  </head>
  <body>
    <main><h1>Receipt</h1></main>
  </body>
</html>
`;
}

/**
 * Adds a page to the build in which what strangers wrote is shown: the frame of receipts, that of tables in links. Its script is
 * one plain script without imports, since a frame with an origin of its own may not fetch modules of this one, and its policy
 * lets it reach nothing else.
 */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

interface Frame {
  /** The page is NAME.html. */
  name: string;
  entry: string;
  title: string;
}

/** Shows a receipt. */
export const receiptFrame: Frame = { name: 'receipt_view', entry: '../receipt/view.ts', title: 'Receipt' };
/** Shows the table that a link carries. */
export const tableFrame: Frame = { name: 'table_view', entry: '../table_link/view.ts', title: 'Table' };

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function framePage({ name: file, entry, title }: Frame): Plugin {
  let base = '/';
  return {
    name: `stele:${file}`,
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
          // light-dark() stays, as in the other pages.
          cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
          lib: {
            entry: fileURLToPath(new URL(entry, import.meta.url)),
            formats: ['iife'],
            name: 'frame',
            fileName: file,
            cssFileName: file,
          },
        },
      });
      const [output] = Array.isArray(built) ? built : [built];
      if (!output || !('output' in output)) throw new Error(`${file} was not built`);
      const names: string[] = [];
      for (const part of output.output) {
        const source = part.type === 'chunk' ? part.code : part.source;
        const name = `${file}.${part.type === 'chunk' ? 'js' : 'css'}`;
        names.push(base + this.getFileName(this.emitFile({ type: 'asset', name, source })));
      }
      this.emitFile({ type: 'asset', fileName: `${file}.html`, source: page(title, names) });
    },
  };
}

function page(title: string, files: string[]): string {
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
    <title>${title}</title>
    ${tags.join('\n    ')}
  </head>
  <body>
    <main><h1>${title}</h1></main>
  </body>
</html>
`;
}

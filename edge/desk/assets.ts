/** The files of the pages, from the folders they lie in. */
import { readFile } from 'node:fs/promises';

const files: Record<string, string> = {
  'tokens.css': '../../web/app/styles/tokens.css',
  'base.css': '../../web/app/styles/base.css',
  'stele.css': '../handler/assets/stele.css',
  'receipt.js': '../handler/assets/receipt.js',
};

export async function fileAsset(name: string): Promise<Response | undefined> {
  const file = files[name];
  if (file === undefined) return undefined;
  const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
  const headers = { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' };
  return new Response(await readFile(new URL(file, import.meta.url)), { headers });
}

/** The files of the pages: those that were built for every home, and the desk's own from the folders they lie in. */
import { readFile } from 'node:fs/promises';

const builtFolder = new URL('../../build/served/assets/', import.meta.url);

const files: Record<string, string> = {
  'tokens.css': '../../web/app/styles/tokens.css',
  'base.css': '../../web/app/styles/base.css',
  'stele.css': '../handler/assets/stele.css',
  'receipt_view.html': '../../build/served/receipt_view.html',
};

export async function fileAsset(name: string): Promise<Response | undefined> {
  const type = /^[\w-]+\.(css|js|html)$/.exec(name)?.[1];
  if (type === undefined) return undefined;
  const file = Object.hasOwn(files, name) ? new URL(files[name]!, import.meta.url) : new URL(name, builtFolder);
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes) return undefined;
  const headers = {
    'content-type': `text/${type === 'js' ? 'javascript' : type}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  };
  return new Response(bytes, { headers });
}

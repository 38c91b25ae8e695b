/** The files of the pages, from the folder they lie in. */
import { readFile } from 'node:fs/promises';

const folder = new URL('../handler/assets/', import.meta.url);
const types: Record<string, string> = { 'stele.css': 'text/css', 'receipt.js': 'text/javascript' };

export async function fileAsset(name: string): Promise<Response | undefined> {
  const type = types[name];
  if (type === undefined) return undefined;
  const headers = { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' };
  return new Response(await readFile(new URL(name, folder)), { headers });
}

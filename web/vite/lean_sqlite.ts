/**
 * Leaves out of the bundle what sqlite-wasm brings for other ways to run it: workers of its own, which Vite would otherwise
 * build and every visitor's service worker keep.
 */
import type { Plugin } from 'vite';

const unused = [
  'new Worker(new URL("sqlite3-worker1.mjs", import.meta.url), { type: "module" })',
  'new URL("sqlite3-opfs-async-proxy.js", import.meta.url)',
  'new URL("sqlite3.wasm", import.meta.url).href',
];

export function leanSqlite(): Plugin {
  return {
    name: 'stele:lean-sqlite',
    enforce: 'pre',
    transform(code, id) {
      if (!/sqlite-wasm\/dist\/index\.mjs$/.test(id.split('?')[0]!)) return null;
      for (const text of unused) if (!code.includes(text)) this.error(`sqlite-wasm no longer says ${text}`);
      return { code: unused.reduce((rest, text) => rest.replace(text, 'undefined'), code), map: null };
    },
  };
}

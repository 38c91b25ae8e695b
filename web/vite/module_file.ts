/** The module's .wasm as the pages fetch it: compressed, beside the one that the desk reads. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const wasm = fileURLToPath(new URL('../../build/wasm/stele.wasm', import.meta.url));
const packed = `${wasm}.gz`;

export function moduleFile(): Plugin {
  return {
    name: 'stele:module-file',
    buildStart() {
      if (!existsSync(wasm)) throw new Error('build/wasm/stele.wasm is missing: npm run setup makes it');
      if (existsSync(packed) && statSync(packed).mtimeMs > statSync(wasm).mtimeMs) return;
      writeFileSync(packed, gzipSync(readFileSync(wasm), { level: 9 }));
    },
  };
}

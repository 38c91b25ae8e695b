/** The built modules and a host for tests. `npm run setup` builds them. */
import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Glue, Host, Module } from '../../../wasm/instance.ts';

export const moduleFolder = new URL('../../../build/wasm/', import.meta.url);

export const nodeHost: Host = {
  nowMs: () => Date.now(),
  randomBytes: (into) => void randomFillSync(into),
  log: () => {},
};

export type ModuleName = 'stele' | 'conformance' | 'scripted';

/** Glue and compiled code of a module. */
export async function builtModule(name: ModuleName): Promise<Module> {
  const { default: glue } = (await import(new URL(`${name}.mjs`, moduleFolder).href)) as { default: Glue };
  return { glue, wasm: await WebAssembly.compile(await readFile(new URL(`${name}.wasm`, moduleFolder))) };
}

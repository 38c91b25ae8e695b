// Where everything that is fetched or built once lives, outside the tree; and the few things every script does with it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'stele');

/** The environment of every tool that a script starts: our Node first, ccache in our cache, emcc's modules found. */
export function toolEnvironment() {
  const environment = { ...process.env };
  environment.PATH = `${join(root, 'node_modules', '.bin')}:${environment.PATH}`;
  environment.CCACHE_DIR ??= join(cache, 'ccache');
  environment.CCACHE_BASEDIR ??= dirname(root);
  environment.CCACHE_NOHASHDIR ??= '1';
  // Debian's emcc finds its JavaScript optimiser's packages only under Debian's own Node.
  environment.NODE_PATH ??= '/usr/share/nodejs';
  // A version manager's python3 costs each of emcc's starts more than the start itself.
  if (existsSync('/usr/bin/python3')) environment.EMSDK_PYTHON ??= '/usr/bin/python3';
  return environment;
}

/** SHA-256 over the names and contents of files and folders, hex. Order does not matter. */
export function digestOf(paths) {
  const files = paths.flatMap((path) => filesUnder(join(root, path))).sort();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${relative(root, file)}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

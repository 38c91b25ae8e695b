// Makes a checkout ready: system packages, npm packages, DuckDB, the WASM module. Each step does nothing when it is already
// done, says what it does when it is not, and names the remedy when it cannot. Usage: node cmake/setup.mjs [--quiet] [--native-only]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { cache, digestOf, root, toolEnvironment } from './cache.mjs';
import { runNinja } from './ninja.mjs';
import { installSystemPackages } from './system.mjs';

const duckdbVersion = '1.4.4';
const packages = {
  source: {
    spec: `duckdb@${duckdbVersion}`,
    integrity: 'sha512-hEJJ5hyVF0VLj3dmOLpsWrQR0b3d4Ykqtygm6iUXjHJDDnSqg/USKxcb5qvNrOhFYPgktayU6dXCtgPqcmmpog==',
  },
  'linux-x64': {
    spec: '@duckdb/node-bindings-linux-x64@1.4.4-r.1',
    integrity: 'sha512-fjYNc+t4/T7mhzZ57oJoIQaWvbYVvxhidcNNansQFiWnd6/JMLCULd4qnt8XI3Tt2BrZsraH690KSBIS3QPt0w==',
  },
  'linux-arm64': {
    spec: '@duckdb/node-bindings-linux-arm64@1.4.4-r.1',
    integrity: 'sha512-wq92/EcTiOTRW1RSDOwjeLyMMXWwNVNwU21TQdfu3sgS86+Ih3raaK68leDgY5cWgf72We3J2W7HYz8GwxcMYw==',
  },
};
const duckdbHome = join(cache, `duckdb-${duckdbVersion}`);
const quiet = process.argv.includes('--quiet');

class SetupError extends Error {}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, env: toolEnvironment(), encoding: 'utf8', ...options });
  if (result.error || result.status !== 0) {
    throw new SetupError(
      `${command} ${args.join(' ')} failed:\n${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`,
    );
  }
  return result.stdout;
}

/** npm ci, when the lockfile is not the one that node_modules was made from. */
function installNpmPackages() {
  const marker = join(root, 'node_modules', '.stele-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  say('Installing npm packages …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(marker, wanted);
}

/** Brings one npm package into the cache by its pinned integrity, without running anything of it. */
function fetchPackage({ spec, integrity }, target, keep) {
  if (existsSync(target)) return;
  say(`Fetching ${spec} …`);
  const folder = join(duckdbHome, `fetch-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const archive = join(
      folder,
      run('npm', ['pack', '--silent', '--pack-destination', folder, spec]).trim().split('\n').at(-1),
    );
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== integrity) throw new SetupError(`${spec} does not have its pinned integrity: got ${digest}`);
    run('tar', ['xzf', archive, '-C', folder]);
    renameSync(join(folder, keep), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fetchDuckdb() {
  fetchPackage(packages.source, join(duckdbHome, 'package'), 'package');
  const platform = `${process.platform}-${process.arch}`;
  if (!packages[platform]) throw new SetupError(`No native DuckDB is pinned for ${platform}.`);
  fetchPackage(packages[platform], join(duckdbHome, 'native'), 'package');
}

/** The engine's archive for WASM, in a folder named by the recipe, so that a changed recipe builds beside the old one. */
async function buildEngine() {
  const recipe = createHash('sha256')
    .update(readFileSync(join(root, 'cmake/engine/CMakeLists.txt')))
    .digest('hex')
    .slice(0, 12);
  const folder = join(duckdbHome, `wasm-${recipe}`);
  const stamp = join(folder, 'COMPLETE');
  if (existsSync(stamp)) return;
  say('Building DuckDB for WebAssembly, once on this machine: about 20 minutes on two cores.');
  run('emcmake', [
    'cmake',
    '-S',
    'cmake/engine',
    '-B',
    folder,
    '-G',
    'Ninja',
    '-DCMAKE_BUILD_TYPE=None',
    `-DDUCKDB_PACKAGE=${join(duckdbHome, 'package')}`,
    '-DCMAKE_CXX_COMPILER_LAUNCHER=ccache',
  ]);
  await runNinja(folder, 'DuckDB', { quiet: false });
  writeFileSync(stamp, run('emcc', ['--version']).split('\n')[0]);
}

/** The files of a folder that the module is made from; scripts and TypeScript beside them change nothing in it. */
function compiledIn(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => /\.(cpp|hpp|txt|cmake)$/.test(name))
    .map((name) => join(folder, name));
}

/** stele.mjs and stele.wasm in build/wasm: taken from the cache if these very sources were linked before. */
async function buildModule() {
  const output = join(root, 'build', 'wasm');
  const digest = digestOf([
    'CMakeLists.txt',
    'CMakePresets.json',
    'core',
    ...compiledIn('tests/conformance'),
    'tests/wasm',
    ...compiledIn('cmake'),
    ...compiledIn('wasm'),
  ]).slice(0, 16);
  const stamp = join(output, 'MODULE');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const kept = join(cache, 'modules', digest);
  mkdirSync(output, { recursive: true });
  if (!existsSync(kept)) {
    say('Linking the module: about 5 minutes on two cores.');
    run('emcmake', ['cmake', '--preset', 'wasm']);
    await runNinja(output, 'module', { quiet: false });
    keepModule(output, kept);
  }
  for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(output, name));
  writeFileSync(stamp, digest);
  reportSize(join(output, 'stele.wasm'));
}

/** What homes serve to whoever has a link: a second's work, so that a source that is newer is reason enough. */
function buildServedPages() {
  const output = join(root, 'build', 'served');
  const stamp = join(output, 'SOURCES');
  const digest = digestOf(['web', ...typescriptIn('wasm'), 'wasm/rows', 'package-lock.json']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  run('node', ['web/served.ts']);
  writeFileSync(stamp, digest);
}

function typescriptIn(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function keepModule(output, kept) {
  const partial = `${kept}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  for (const name of readdirSync(output)) {
    if (/\.(wasm|mjs)$/.test(name)) copyFileSync(join(output, name), join(partial, name));
  }
  try {
    renameSync(partial, kept);
  } catch (error) {
    // Another checkout linked these very sources meanwhile.
    if (!existsSync(kept)) throw error;
    rmSync(partial, { recursive: true });
  }
  const modules = join(cache, 'modules');
  const byAge = readdirSync(modules).sort(
    (a, b) => statSync(join(modules, b)).mtimeMs - statSync(join(modules, a)).mtimeMs,
  );
  for (const old of byAge.slice(4)) rmSync(join(modules, old), { recursive: true, force: true });
}

/** Raw, gzip and brotli bytes against the budget of docs/engine.md. Brotli at quality 9, as a quick bound. */
function reportSize(file) {
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const mib = (bytes.length / 2 ** 20).toFixed(1);
  const mb = (length) => (length / 1e6).toFixed(2);
  say(
    `stele.wasm: ${mib} MiB raw (budget 30), ${mb(gzipSync(bytes, { level: 9 }).length)} MB gzip (budget 7.5), ${mb(brotli.length)} MB brotli`,
  );
}

try {
  if (Number(process.versions.node.split('.')[0]) < 20) throw new SetupError('Stele needs Node 20 or later.');
  installSystemPackages(say);
  installNpmPackages();
  mkdirSync(duckdbHome, { recursive: true });
  fetchDuckdb();
  buildServedPages();
  if (!process.argv.includes('--native-only')) {
    await buildEngine();
    await buildModule();
  }
  if (!quiet) say('Ready.');
} catch (error) {
  say(error instanceof SetupError ? error.message : String(error.stack));
  process.exit(1);
}

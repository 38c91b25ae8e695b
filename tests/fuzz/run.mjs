// npm run fuzz [-- SECONDS] [TARGET …] [--seed N] [--keep]: each target for so many seconds (60), from the saved corpus on, under
// AddressSanitizer and UBSan. An input that breaks a promise is printed as a line for the corpus and kept in
// build/fuzz/found; the exit status is 1 then. --keep puts the smallest inputs that reach the most into the saved corpus.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, toolEnvironment } from '../../cmake/cache.mjs';
import { runNinja } from '../../cmake/ninja.mjs';

const targets = ['text', 'guard', 'calls', 'receipt'];
const here = join(root, 'tests', 'fuzz');
const build = join(root, 'build', 'asan');
const work = join(root, 'build', 'fuzz');
/** An input that takes longer hangs: a machine that others share may stand still for a while. */
const hangSeconds = 120;
const bytesMax = { text: 8192, guard: 2048, calls: 4096, receipt: 2048 };
/** What the saved corpus may hold of a target: it is replayed by every run of the native suite. */
const kept = { inputs: 250, bytesEach: 1024 };

const args = process.argv.slice(2);
const seedAt = args.indexOf('--seed');
const seed = seedAt < 0 ? [] : [`-seed=${args.splice(seedAt, 2)[1]}`];
const isKeeping = args.includes('--keep');
const seconds = Number(args.find((word) => /^\d+$/.test(word)) ?? 60);
const named = args.filter((word) => !/^\d+$/.test(word) && word !== '--keep');
const unknown = named.find((name) => !targets.includes(name));
if (unknown) {
  console.error(`There is no target ${unknown}; there are: ${targets.join(', ')}`);
  process.exit(2);
}

const corpusFile = (target) => join(here, 'corpus', `${target}.txt`);
const lineOf = (bytes) => JSON.stringify(bytes.toString('latin1'));

function run(command, words, options = {}) {
  return spawnSync(command, words, {
    cwd: root,
    env: toolEnvironment(),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    ...options,
  });
}

function emptyFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The saved corpus as files, and for texts the small files of the cases. */
function unpacked(target) {
  const folder = join(work, 'corpus', target);
  mkdirSync(folder, { recursive: true });
  const lines = existsSync(corpusFile(target)) ? readFileSync(corpusFile(target), 'utf8').split('\n') : [];
  for (const [number, line] of lines.filter(Boolean).entries())
    writeFileSync(join(folder, `saved-${number}`), Buffer.from(JSON.parse(line), 'latin1'));
  if (target !== 'text') return folder;
  const cases = join(root, 'tests', 'cases');
  for (const name of readdirSync(cases).filter((file) => /\.(csv|json|ndjson|gz)$/.test(file)))
    if (statSync(join(cases, name)).size <= 4096) writeFileSync(join(folder, name), readFileSync(join(cases, name)));
  return folder;
}

/** Runs a fuzzer to its end. */
function fuzzer(target, words) {
  const path = join(build, 'tests', 'fuzz', `fuzz_${target}`);
  const options = { cwd: root, env: toolEnvironment(), encoding: 'utf8', maxBuffer: 1 << 30 };
  return new Promise((resolve) => {
    execFile(path, words, options, (error, _out, stderr) => resolve({ status: error ? 1 : 0, stderr }));
  });
}

async function fuzz(target) {
  const corpus = unpacked(target);
  const found = emptyFolder(join(work, 'found', target));
  const dictionary = join(here, `${target}.dict`);
  const { status, stderr } = await fuzzer(target, [
    corpus,
    `-max_total_time=${seconds}`,
    `-max_len=${bytesMax[target]}`,
    `-timeout=${hangSeconds}`,
    '-rss_limit_mb=4096',
    '-print_final_stats=1',
    ...seed,
    `-artifact_prefix=${found}/`,
    ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
  ]);
  const runs = /stat::number_of_executed_units:\s*(\d+)/.exec(stderr)?.[1] ?? '?';
  const cover = stderr.match(/cov: \d+ ft: \d+ corp: [^ ]+/g)?.at(-1) ?? '';
  const told = `${target}: ${runs} runs in ${seconds} s; ${cover}`;
  if (status === 0) {
    console.log(`ok     ${told}`);
    return true;
  }
  const lines = stderr.split('\n');
  // What npm test repeats at its end: the indented lines below FOUND, which hold all that it takes to see the fault again.
  const reasons = lines.filter((line) => /ERROR:|runtime error:|what\(\):|SUMMARY:/.test(line));
  const inputs = readdirSync(found).map(
    (name) =>
      `${join('build/fuzz/found', target, name)}, as a line of tests/fuzz/corpus/${target}.txt: ${lineOf(readFileSync(join(found, name)))}`,
  );
  const detail = [...new Set(reasons), ...inputs].map((line) => `    ${line.trim()}`);
  console.log([`--- ${target}`, ...lines.slice(-60), `FOUND  ${told}`, ...detail].join('\n'));
  return false;
}

/** libFuzzer's smallest set that reaches all; what is too large for the saved corpus stays out. */
function keep(target) {
  const smallest = emptyFolder(join(work, 'smallest', target));
  run(join(build, 'tests', 'fuzz', `fuzz_${target}`), [
    '-merge=1',
    `-max_len=${kept.bytesEach}`,
    smallest,
    unpacked(target),
  ]);
  const inputs = readdirSync(smallest)
    .map((name) => readFileSync(join(smallest, name)))
    .filter((bytes) => bytes.length > 0 && bytes.length <= kept.bytesEach)
    .sort((a, b) => a.length - b.length)
    .slice(0, kept.inputs);
  mkdirSync(join(here, 'corpus'), { recursive: true });
  writeFileSync(corpusFile(target), inputs.map((bytes) => `${lineOf(bytes)}\n`).join(''));
  console.log(`${target}: ${inputs.length} inputs kept`);
}

const configured = run('cmake', ['--preset', 'asan']);
if (configured.status !== 0) {
  console.error(configured.stdout + configured.stderr);
  process.exit(1);
}
await runNinja(build, 'fuzz targets', { target: 'fuzzers' });
const chosen = named.length ? named : targets;
const waiting = [...chosen];
let isSound = true;
// A core each: fuzzers that share one reach half as far in the time they have.
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), chosen.length) }, async () => {
    for (let target = waiting.shift(); target; target = waiting.shift()) isSound = (await fuzz(target)) && isSound;
  }),
);
if (isKeeping) chosen.forEach(keep);
process.exit(isSound ? 0 : 1);

// npm test: sets the checkout up, runs every suite, prints each runner's own closing lines, what failed, and last, alone on a
// line, the sum: "N passed, N failed". Usage: npm test -- [suite …] [--only PATTERN]; suites: see `suites` below.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, toolEnvironment } from '../cmake/cache.mjs';
import { runNinja } from '../cmake/ninja.mjs';
import { brokenRun, fromFuzzer, fromJunit, fromPlaywright, fromVitest, sumOf } from './reports.mjs';

const suites = {
  native: (only) => nativeSuite('native', only),
  asan: (only) => nativeSuite('asan', only),
  fuzz: (only) => fuzzSuite(process.env.STELE_FUZZ_SECONDS ?? '60', only),
  vitest: (only) => vitestSuite(only),
  edge: (only) => vitestSuite(only, ['--config', 'e2e/edge/vitest.config.ts']),
  share: (only) => vitestSuite(only, ['--config', 'e2e/share/vitest.config.ts']),
  page: (only) => pageSuite(only),
};
/** Run only when named: a suite that takes long, a part of one, or its long form. */
const otherSuites = {
  cases: (only) => casesSuite(only),
  walkthrough: (only) => vitestSuite(only, ['tests/walkthrough']),
  soak: async () => {
    const histories = await nativeSuite('native', 'histories', {
      STELE_HISTORIES: process.env.STELE_HISTORIES ?? '2000',
    });
    return sumOf([histories, vitestSuite(undefined, ['tests/large'], { STELE_LARGE: '1' })]);
  },
};

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, env: toolEnvironment(), stdio: 'inherit', ...options });
}

/** The Catch2 tests of one CMake preset, through CTest. A build that fails counts as one failure. */
async function nativeSuite(preset, only, environment = {}) {
  try {
    const configured = run('cmake', ['--preset', preset], { stdio: 'pipe', encoding: 'utf8' });
    if (configured.status !== 0) throw new Error(configured.stdout + configured.stderr);
    await runNinja(join(root, 'build', preset), preset);
  } catch (error) {
    console.log(error.message);
    return brokenRun(error.message);
  }
  const folder = mkdtempSync(join(tmpdir(), 'stele-tests-'));
  const report = join(folder, 'junit.xml');
  run(
    'ctest',
    ['--preset', preset, '-j2', '--no-tests=error', '--output-junit', report, ...(only ? ['-R', only] : [])],
    {
      env: { ...toolEnvironment(), ...environment },
    },
  );
  const result = fromJunit(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  return result;
}

/** The checks of tests/cases in every home, closing with how many there are in each; they run in the homes' own suites too. */
async function casesSuite(only) {
  const homes = {
    natively: await nativeChecks(only),
    'on the desk': vitestSuite(only, ['tests/ts/cases.test.ts', 'tests/ts/cases_desk.test.ts']),
    'on the edge': vitestSuite(only, ['--config', 'e2e/edge/vitest.config.ts', 'e2e/edge/cases.test.ts']),
    'in the page': pageSuite(only, ['e2e/page/cases.spec.ts']),
  };
  console.log();
  for (const [home, { passed, failed }] of Object.entries(homes))
    console.log(`checks ${home}: ${passed} hold, ${failed} do not`);
  return sumOf(Object.values(homes));
}

/** Natively a case is one test with an assertion for each check. */
async function nativeChecks(only) {
  try {
    run('cmake', ['--preset', 'native'], { stdio: 'pipe' });
    await runNinja(join(root, 'build', 'native'), 'native', { target: 'test_core' });
    const tests = [only ? `*${only}*[case]` : '[case]', '-r', 'xml'];
    const report = run(join(root, 'build', 'native', 'tests', 'test_core'), tests, {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    }).stdout;
    const sum = [...report.matchAll(/<OverallResults successes="(\d+)" failures="(\d+)"/g)].at(-1);
    const failed = Number(sum[2]);
    if (failed) console.log(report.replaceAll(/<OverallResult .*\n/g, ''));
    return {
      passed: Number(sum[1]),
      failed,
      skipped: 0,
      failures: failed ? [`${failed} checks of the cases, natively`] : [],
    };
  } catch (error) {
    console.log(error.message);
    return brokenRun(error.message);
  }
}

/** Tests in TypeScript: by themselves the core as WASM, the desk, MCP by the official client; by its own configuration the edge. */
function vitestSuite(only, args = [], environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'stele-tests-'));
  const report = join(folder, 'vitest.json');
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(only ? ['-t', only] : []),
  ];
  const result = run('node', command, { env: { ...toolEnvironment(), ...environment } });
  try {
    const told = fromVitest(JSON.parse(readFileSync(report, 'utf8')), result.status);
    // A choice by name leaves the other tests out, which skips nothing that was asked for.
    return only ? { ...told, skipped: 0 } : told;
  } catch (error) {
    return brokenRun(error.message);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The pages in Chromium, by Playwright, which builds them first; the endurance tests in their short forms. */
function pageSuite(only, files = []) {
  const report = join(root, 'build', 'e2e.json');
  rmSync(report, { force: true });
  run('node', [
    'node_modules/@playwright/test/cli.js',
    'test',
    ...files,
    ...(only ? ['--grep', only, '--pass-with-no-tests'] : []),
  ]);
  try {
    return fromPlaywright(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    return brokenRun(error.message);
  }
}

/**
 * Each fuzz target for so many seconds; an input that breaks a promise is a failure. They have no tests to choose from. The seed
 * is always the same, so that a change is blamed for what it breaks and for nothing else; `npm run fuzz` goes new ways.
 */
function fuzzSuite(seconds, only) {
  if (only) return sumOf([]);
  const { status, stdout } = run('node', ['tests/fuzz/run.mjs', seconds, '--seed', '1'], {
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  console.log(stdout.trimEnd());
  return fromFuzzer(stdout, status);
}

const args = process.argv.slice(2);
const at = args.indexOf('--only');
const only = at < 0 ? undefined : args.splice(at, 2)[1];
const known = { ...suites, ...otherSuites };
const unknown = args.find((name) => !known[name]);
if (unknown) {
  console.error(`There is no suite ${unknown}; there are: ${Object.keys(known).join(', ')}`);
  process.exit(2);
}

const setup = run('node', ['cmake/setup.mjs', '--quiet']);
if (setup.status !== 0) process.exit(1);

const countsOf = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
const results = [];
for (const name of args.length ? args : Object.keys(suites)) {
  console.log(`\n== ${name}`);
  const result = await known[name](only);
  console.log(`${name}: ${countsOf(result)}`);
  results.push({ ...result, failures: result.failures.map((text) => `${name}: ${text}`) });
}
const sum = sumOf(results);
if (sum.failures.length) console.log(`\n== failed\n${sum.failures.join('\n')}`);
console.log(`\n${countsOf(sum)}`);
process.exit(sum.failed || !sum.passed ? 1 : 0);

// npm test: sets the checkout up, runs every suite, prints each runner's own closing lines and last, alone on a line, the
// sum: "N passed, N failed". Usage: npm test -- [suite …] [--only PATTERN]; suites: see `suites` below.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, toolEnvironment } from '../cmake/cache.mjs';
import { runNinja } from '../cmake/ninja.mjs';

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
    const large = vitestSuite(undefined, ['tests/large'], { STELE_LARGE: '1' });
    return Object.fromEntries(Object.keys(histories).map((key) => [key, histories[key] + large[key]]));
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
    return { passed: 0, failed: 1, skipped: 0 };
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
  const header = /<testsuite[^>]*>/.exec(readFileSync(report, 'utf8'))[0];
  rmSync(folder, { recursive: true });
  const count = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(header)[1]);
  const failed = count('failures');
  const skipped = count('skipped') + count('disabled');
  return { passed: count('tests') - failed - skipped, failed, skipped };
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
  const sum = (key) => Object.values(homes).reduce((all, counts) => all + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
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
    const native = { passed: Number(sum[1]), failed: Number(sum[2]), skipped: 0 };
    if (native.failed) console.log(report.replaceAll(/<OverallResult .*\n/g, ''));
    return native;
  } catch (error) {
    console.log(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
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
    const {
      numPassedTests: passed,
      numFailedTests,
      numPendingTests,
      numTodoTests,
      numFailedTestSuites,
    } = JSON.parse(readFileSync(report, 'utf8'));
    // A file that fails to load has no failed test of its own.
    const failed = numFailedTests || (result.status === 0 ? 0 : Math.max(1, numFailedTestSuites));
    return { passed, failed, skipped: only ? 0 : numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
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
    const { stats, errors } = JSON.parse(readFileSync(report, 'utf8'));
    // A build or a file that fails has no test of its own.
    const failed = stats.unexpected + stats.flaky + errors.length;
    return { passed: stats.expected, failed, skipped: stats.skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/**
 * Each fuzz target for so many seconds; an input that breaks a promise is a failure. They have no tests to choose from. The seed
 * is always the same, so that a change is blamed for what it breaks and for nothing else; `npm run fuzz` goes new ways.
 */
function fuzzSuite(seconds, only) {
  if (only) return { passed: 0, failed: 0, skipped: 0 };
  const { status, stdout } = run('node', ['tests/fuzz/run.mjs', seconds, '--seed', '1'], {
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  console.log(stdout.trimEnd());
  const count = (word) => stdout.split('\n').filter((line) => line.startsWith(word)).length;
  const passed = count('ok ');
  return { passed, failed: count('FOUND ') || (status === 0 ? 0 : 1), skipped: 0 };
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

const sums = { passed: 0, failed: 0, skipped: 0 };
for (const name of args.length ? args : Object.keys(suites)) {
  console.log(`\n== ${name}`);
  const result = await known[name](only);
  console.log(
    `${name}: ${result.passed} passed, ${result.failed} failed${result.skipped ? `, ${result.skipped} skipped` : ''}`,
  );
  for (const key of Object.keys(sums)) sums[key] += result[key];
}
console.log(`\n${sums.passed} passed, ${sums.failed} failed${sums.skipped ? `, ${sums.skipped} skipped` : ''}`);
process.exit(sums.failed || !sums.passed ? 1 : 0);

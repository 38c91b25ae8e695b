// What the runners' reports say, in one shape: { passed, failed, skipped, failures }. `failures` has a text for each failed test:
// its name and where it failed. npm test prints them last, where a reader of a long log looks first.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../cmake/cache.mjs';

/** As much of a failure's message as tells what broke; the runner has printed the whole. */
const linesMax = 12;

function failure(name, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() && !/^\s+at .*(node_modules|node:internal)/.test(line));
  const cut = lines.length > linesMax ? [...lines.slice(0, linesMax), '…'] : lines;
  return [name, ...cut.map((line) => `    ${line}`)].join('\n');
}

/** One failure that no test stands for: a build that breaks, a runner that writes no report. */
export function brokenRun(message) {
  return { passed: 0, failed: 1, skipped: 0, failures: [failure('the suite did not run', message)] };
}

export function sumOf(results) {
  const sum = (key) => results.reduce((all, result) => all + result[key], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: results.flatMap((result) => result.failures),
  };
}

/** CTest's JUnit report. */
export function fromJunit(text) {
  const header = /<testsuite\b[^>]*>/.exec(text)[0];
  const count = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(header)[1]);
  const failed = count('failures');
  const skipped = count('skipped') + count('disabled');
  const failures = [...text.matchAll(/<testcase name="([^"]*)"[^>]*status="fail">(.*?)<\/testcase>/gs)].map(
    ([, name, body]) => {
      const output = /<system-out>(.*?)<\/system-out>/s.exec(body)?.[1] ?? '';
      // Catch2 tells where it failed below its own heading.
      return failure(plain(name), plain(output.split(/^\.{20,}$/m).at(-1)));
    },
  );
  return { passed: count('tests') - failed - skipped, failed, skipped, failures };
}

function plain(xml) {
  const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name]);
}

/** vitest's JSON report; `ended` is the runner's exit status. */
export function fromVitest(report, ended) {
  const failures = report.testResults.flatMap((file) => {
    const name = relative(root, file.name);
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that fails to load has no failed test of its own.
    if (!tests.length && file.status === 'failed') return [failure(name, file.message)];
    return tests.map((test) => failure(`${name} > ${test.fullName}`, test.failureMessages.join('\n')));
  });
  // An error that nobody awaited ends the run without failing a test.
  if (!failures.length && ended !== 0) failures.push(failure('the runner failed', `exit status ${ended}`));
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/** Playwright's JSON report. What passes at a second try counts as failed. */
export function fromPlaywright({ stats, errors, suites }) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  const failures = suites.flatMap(specsOf).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) => {
        const errors = test.results.flatMap((result) => result.errors.map((error) => error.message));
        return failure(`${spec.file}:${spec.line} > ${spec.title}`, errors.join('\n'));
      }),
  );
  // A build or a file that fails has no test of its own.
  failures.push(...errors.map((error) => failure('the suite did not run', error.message)));
  return { passed: stats.expected, failed: failures.length, skipped: stats.skipped, failures };
}

/** What tests/fuzz/run.mjs prints: a line for each target, and below one that found something what it found, indented. */
export function fromFuzzer(output, status) {
  const failures = output.match(/^FOUND .*(\n {4}.*)*/gm) ?? [];
  if (!failures.length && status !== 0) failures.push(`the fuzzers ended with exit status ${status}`);
  return { passed: output.match(/^ok /gm)?.length ?? 0, failed: failures.length, skipped: 0, failures };
}

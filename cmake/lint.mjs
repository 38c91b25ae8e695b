// npm run lint: clang-format and prettier on all files of ours, clang-tidy on the C++ that differs from the base (--base REV,
// origin/main or the last commit), TypeScript strict. With --fix it formats instead: npm run format.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, toolEnvironment } from './cache.mjs';

const fix = process.argv.includes('--fix');
const baseAt = process.argv.indexOf('--base');
let failed = false;

function capture(command, args) {
  return spawnSync(command, args, { cwd: root, env: toolEnvironment(), encoding: 'utf8' });
}

function check(label, command, args) {
  const { status, stdout, stderr } = capture(command, args);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${label}`);
  if (status !== 0) {
    console.log(`${stdout}${stderr}`.trim());
    failed = true;
  }
}

const lines = (text) => text.split('\n').filter(Boolean);
const tracked = (...patterns) =>
  lines(capture('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]).stdout).filter((file) =>
    existsSync(join(root, file)),
  );

function changedUnits() {
  const base =
    baseAt >= 0
      ? process.argv[baseAt + 1]
      : capture('git', ['rev-parse', '--verify', '-q', 'origin/main']).stdout.trim() || 'HEAD';
  const changed = new Set(lines(capture('git', ['diff', '--name-only', base]).stdout));
  return tracked('core/*.cpp').filter((file) => changed.has(file));
}

const cpp = tracked('core/*.cpp', 'core/*.hpp', 'wasm/*.cpp', 'wasm/*.hpp', 'tests/*.cpp', 'tests/*.hpp');
const scripts = tracked('*.ts', '*.mjs', '*.json', '*.css', '*.html').filter(
  (file) => !/package-lock|tests\/(cases|scenarios)\//.test(file),
);
/** What in sqlite-wasm's pool empties or removes stores: no code of ours may name it. */
const wiping = /\b(clearOnInit|wipeFiles|removeVfs)\b/;

function checkNothingWipes() {
  const naming = tracked('*.ts').filter((file) => wiping.test(readFileSync(join(root, file), 'utf8')));
  console.log(`${naming.length ? 'FAILED' : 'ok    '} no call that wipes a store`);
  if (!naming.length) return;
  console.log(`These name a call of the pool that destroys data (${wiping.source}):\n${naming.join('\n')}`);
  failed = true;
}

checkNothingWipes();
check('clang-format', 'clang-format', [fix ? '-i' : '--dry-run', '--Werror', ...cpp]);
check('prettier', 'prettier', [fix ? '--write' : '--check', '--log-level', 'warn', ...scripts]);
if (!fix) {
  check('TypeScript', 'tsc', ['--noEmit']);
  check('TypeScript of the Worker', 'tsc', ['--noEmit', '-p', 'edge/worker']);
  const units = changedUnits();
  if (units.length && existsSync(join(root, 'build/native/compile_commands.json')))
    check(`clang-tidy (${units.length} units)`, 'clang-tidy', ['-p', 'build/native', '--quiet', ...units]);
}
process.exit(failed ? 1 : 0);

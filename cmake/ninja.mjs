// Runs ninja and shows how far it is: one line that moves on a terminal, a line every tenth elsewhere. On failure it prints
// the output of what failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { root, toolEnvironment } from './cache.mjs';

/** Builds `target` (all, if not given) in `folder`; `label` names it. Rejects with ninja's output when a unit fails. */
export function runNinja(folder, label, { target, quiet = false } = {}) {
  const args = ['-C', folder, '-j', String(availableParallelism()), ...(target ? [target] : [])];
  const ninja = spawn('ninja', args, { cwd: root, env: { ...toolEnvironment(), NINJA_STATUS: '[%f/%t] ' } });
  const started = Date.now();
  const failure = [];
  let tenth = 0;
  createInterface({ input: ninja.stdout }).on('line', (line) => {
    const step = /^\[(\d+)\/(\d+)\] /.exec(line);
    if (!step) return failure.push(line);
    if (quiet) return;
    const [done, total] = [Number(step[1]), Number(step[2])];
    const minutes = ((Date.now() - started) / 60000).toFixed(1);
    const text = `${label}: ${done} of ${total} units, ${minutes} min`;
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K${done === total ? '\n' : ''}`);
    else if (Math.floor((done * 10) / total) > tenth) {
      tenth = Math.floor((done * 10) / total);
      process.stderr.write(`${text}\n`);
    }
  });
  ninja.stderr.on('data', (data) => failure.push(String(data)));
  return new Promise((resolve, reject) => {
    ninja.on('error', reject);
    ninja.on('close', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`Building ${label} failed:\n${failure.slice(-200).join('\n')}`));
    });
  });
}

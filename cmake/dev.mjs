// npm run dev: serves the desk and, on a change, restarts it (TypeScript) or rebuilds the core natively and runs its tests
// (C++). The module for WebAssembly is linked again only by `npm run setup`, since that takes minutes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { root, toolEnvironment } from './cache.mjs';
import { runNinja } from './ninja.mjs';

let server;
let building = false;
let again = false;

function serve() {
  server?.kill();
  server = spawn('node', ['edge/desk/stele.ts', 'serve', ...process.argv.slice(2)], {
    cwd: root,
    env: toolEnvironment(),
    stdio: 'inherit',
  });
}

async function rebuild() {
  if (building) {
    again = true;
    return;
  }
  building = true;
  do {
    again = false;
    try {
      await runNinja(join(root, 'build', 'native'), 'native', { quiet: true });
      spawn('ctest', ['--preset', 'native', '-j2'], { cwd: root, env: toolEnvironment(), stdio: 'inherit' });
    } catch (error) {
      console.error(error.message);
    }
  } while (again);
  building = false;
}

/** Calls `act` once for a burst of changes to files that match. */
function onChange(folder, pattern, act) {
  let timer;
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || !pattern.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(act, 100);
  });
}

for (const folder of ['wasm', 'edge']) onChange(folder, /\.(ts|css|html|js)$/, serve);
for (const folder of ['core', 'tests']) onChange(folder, /\.(cpp|hpp|sql)$/, rebuild);
process.on('SIGINT', () => {
  server?.kill();
  process.exit();
});
serve();

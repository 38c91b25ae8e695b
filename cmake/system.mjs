// The system's packages: looked for by what they bring, not by name, so that an emsdk or a newer CMake on the PATH serves.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const needs = [
  { package: 'emscripten', program: 'emcc' },
  { package: 'cmake', program: 'cmake' },
  { package: 'ninja-build', program: 'ninja' },
  { package: 'g++', program: 'g++' },
  { package: 'ccache', program: 'ccache' },
  { package: 'clang-format', program: 'clang-format' },
  { package: 'clang-tidy', program: 'clang-tidy' },
  { package: 'clang', program: 'clang++' },
  { package: 'libclang-rt-dev', runtime: 'libclang_rt.fuzzer' },
  { package: 'libsqlite3-dev', file: 'sqlite3.h' },
  { package: 'nlohmann-json3-dev', file: 'nlohmann/json.hpp' },
  { package: 'catch2', file: 'catch2/catch.hpp' },
  { package: 'chromium', program: 'chromium' },
];

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
/** A library that clang++ brings along, such as libFuzzer's. */
const hasRuntime = (name) =>
  spawnSync('sh', ['-c', `test -e "$(clang++ -print-file-name=${name}-$(uname -m).a)"`]).status === 0;
const present = ({ program, runtime, file }) => {
  if (program) return has(program);
  if (runtime) return hasRuntime(runtime);
  return ['/usr/include', '/usr/local/include'].some((folder) => existsSync(`${folder}/${file}`));
};

/** Installs what is missing with apt, as root or by sudo; throws with the list and the command where neither will do. */
export function installSystemPackages(say) {
  const missing = needs.filter((need) => !present(need)).map((need) => need.package);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const asRoot = process.getuid?.() === 0;
  if (!has('apt-get') || !(asRoot || has('sudo'))) {
    throw new Error(
      `Please install these first (names as in Debian): ${missing.join(', ')}\nFor example: sudo ${command}\n` +
        'An emcc of emsdk 3.1.6 or later on the PATH serves in place of the package emscripten.',
    );
  }
  say(`Installing system packages: ${missing.join(', ')} …`);
  const prefix = asRoot ? '' : 'sudo ';
  const script = `${prefix}apt-get update -qq && ${prefix}env DEBIAN_FRONTEND=noninteractive ${command} -qq`;
  const result = spawnSync('sh', ['-c', script], { encoding: 'utf8', stdio: ['inherit', 'pipe', 'pipe'] });
  if (result.status !== 0) throw new Error(`Installing failed; try by hand: ${prefix}${command}\n${result.stderr}`);
}

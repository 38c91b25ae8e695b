/** Looks at what the desk needs on this machine: Node, the module, the store and its key. It changes none of them. */
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeskError, openDesk, type DeskSettings } from '../open_desk.ts';
import { deskCaller } from '../server.ts';
import { type Finding, well, wrong } from './finding.ts';

const moduleFolder = fileURLToPath(new URL('../../../build/wasm/', import.meta.url));

export async function examineDesk(settings: DeskSettings): Promise<Finding[]> {
  const found = module();
  // Without a module no store opens, and the message of that would hide the reason.
  const store = found.isWell ? [await storeOf(settings)] : [];
  return [well('Node', process.versions.node), found, ...store, keyOf(settings.file)];
}

function module(): Finding {
  const missing = ['stele.wasm', 'stele.mjs'].find((name) => !existsSync(moduleFolder + name));
  return missing === undefined
    ? well('Module', `${(statSync(`${moduleFolder}stele.wasm`).size / 1e6).toFixed(1)} MB`)
    : wrong('Module', `${moduleFolder}${missing} is missing`, 'Run "npm run setup".');
}

async function storeOf(settings: DeskSettings): Promise<Finding> {
  const { file } = settings;
  if (!existsSync(file)) return well('Store', `${file} is not there yet; the first use makes it`);
  try {
    const desk = await openDesk(settings);
    try {
      const { value, isError } = await desk.tools.call('list_tables', { limit: 1 }, deskCaller('stele doctor', ''));
      if (isError) return wrong('Store', `${file}: ${String(value.message)}`, String(value.hint));
      const where = desk.url === undefined ? file : `${file}, served at ${desk.url}`;
      return well('Store', `${where}: ${value.total === 1 ? 'one table' : `${String(value.total)} tables`}`);
    } finally {
      await desk.own?.close();
    }
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return wrong('Store', error.message, 'Check who may read and write it, or name another --file.');
  }
}

function keyOf(file: string): Finding {
  const path = `${file}.key`;
  if (!existsSync(path)) return well('Signing key', 'not there yet; the first receipt makes it');
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
    ? wrong('Signing key', `${path} can be read by others`, `chmod 600 ${path}`)
    : well('Signing key', path);
}

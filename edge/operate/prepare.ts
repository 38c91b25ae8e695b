/** What the bundler does not make: the files that pages link to, gathered for the assets binding under build/edge/public. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildServed } from '../../web/served.ts';
import { publicFolder, rootFolder, servedFolder } from './folders.ts';

const files: Record<string, string> = {
  'edge/handler/assets/stele.css': 'assets/stele.css',
  'web/app/styles/tokens.css': 'assets/tokens.css',
  'web/app/styles/base.css': 'assets/base.css',
  'edge/auth/assets/auth.css': 'assets/auth.css',
  'edge/auth/assets/passkey.js': 'assets/passkey.js',
  'edge/auth/assets/copy.js': 'assets/copy.js',
  'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js': 'assets/simplewebauthn.js',
};

export async function prepare(): Promise<void> {
  await buildServed();
  rmSync(publicFolder, { recursive: true, force: true });
  cpSync(servedFolder, publicFolder, { recursive: true });
  for (const [from, to] of Object.entries(files)) {
    const target = join(publicFolder, to);
    mkdirSync(join(target, '..'), { recursive: true });
    cpSync(join(rootFolder, from), target);
  }
}

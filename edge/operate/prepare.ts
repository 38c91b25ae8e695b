/** What the bundler does not make: the files that pages link to, gathered for the assets binding under build/edge/public. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const publicFolder = new URL('build/edge/public/', root);

const files: Record<string, string> = {
  'edge/handler/assets/stele.css': 'assets/stele.css',
  'edge/handler/assets/receipt.js': 'assets/receipt.js',
  'edge/auth/assets/auth.css': 'assets/auth.css',
  'edge/auth/assets/passkey.js': 'assets/passkey.js',
  'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js': 'assets/simplewebauthn.js',
};

export function prepare(): void {
  rmSync(publicFolder, { recursive: true, force: true });
  for (const [from, to] of Object.entries(files)) {
    const target = new URL(to, publicFolder);
    mkdirSync(new URL('.', target), { recursive: true });
    cpSync(fileURLToPath(new URL(from, root)), fileURLToPath(target));
  }
}

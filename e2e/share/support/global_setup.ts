/** Builds the edge's bundle, as a deployment does, and the app once for all tests of shares. STELE_KEEP_BUNDLE=1 tests the last. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { bundleFolder, configFile } from '../../../edge/operate/folders.ts';
import { prepare } from '../../../edge/operate/prepare.ts';
import { bundle } from '../../edge/support/global_setup.ts';

export async function setup(): Promise<void> {
  if (process.env.STELE_KEEP_BUNDLE) return;
  await prepare();
  await bundle(configFile, bundleFolder);
  const app = fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url));
  await build({ configFile: app, mode: 'production', logLevel: 'warn' });
}

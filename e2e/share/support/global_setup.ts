/** Builds the edge's bundle once for all tests of shares, as a deployment does. STELE_KEEP_BUNDLE=1 tests the last one. */
import { bundleFolder, configFile } from '../../../edge/operate/folders.ts';
import { prepare } from '../../../edge/operate/prepare.ts';
import { bundle } from '../../edge/support/global_setup.ts';

export async function setup(): Promise<void> {
  if (process.env.STELE_KEEP_BUNDLE) return;
  await prepare();
  await bundle(configFile, bundleFolder);
}

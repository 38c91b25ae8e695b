/** Builds the bundles once for all tests of the edge, by the very build that a deployment takes. */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleFolder, configFile, rootFolder } from '../../../edge/operate/folders.ts';
import { prepare } from '../../../edge/operate/prepare.ts';
import { runWrangler } from '../../../edge/operate/wrangler_command.ts';

export const conformanceConfig = fileURLToPath(new URL('../conformance/wrangler.jsonc', import.meta.url));
export const conformanceBundle = `${rootFolder}build/edge/conformance/`;

export async function bundle(config: string, folder: string): Promise<void> {
  // Modules are named by content: an earlier one would stay beside.
  rmSync(folder, { recursive: true, force: true });
  const code = await runWrangler(['deploy', '--dry-run', '--config', config, '--outdir', folder], { quiet: true });
  if (code !== 0) throw new Error(`the bundle of ${config} could not be built`);
}

/** STELE_KEEP_BUNDLE=1 tests what the last run built. */
export async function setup(): Promise<void> {
  if (process.env.STELE_KEEP_BUNDLE) return;
  await prepare();
  await bundle(configFile, bundleFolder);
  await bundle(conformanceConfig, conformanceBundle);
}

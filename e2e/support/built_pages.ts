/** Builds the pages and the tests' own pages before the first test, unless STELE_BUILT says that they are new. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const configFile = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));

export default async function buildPages(): Promise<void> {
  if (process.env.STELE_BUILT) return;
  for (const mode of ['production', 'harness']) await build({ configFile, mode, logLevel: 'warn' });
}

/**
 * End-to-end tests of the edge in workerd: `npm run e2e:edge`, or one file by `npx vitest run --config e2e/edge/vitest.config.ts
 * consent`. STELE_LONG=1 runs the long forms of the endurance tests.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['e2e/edge/support/global_setup.ts'],
    setupFiles: ['e2e/edge/support/end_all.ts'],
    include: ['e2e/edge/**/*.test.ts'],
    // Each file has a workerd of its own, which is the machine's to share.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['e2e/edge/support/global_setup.ts'],
    include: ['e2e/edge/**/*.test.ts'],
    // Each file has a workerd of its own, which is the machine's to share.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});

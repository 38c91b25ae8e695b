/**
 * End-to-end tests of what others see of a workspace, in workerd and Chromium: `npm run e2e:share`, or one file by
 * `npx vitest run --config e2e/share/vitest.config.ts page`.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['e2e/share/support/global_setup.ts'],
    setupFiles: ['e2e/edge/support/end_all.ts'],
    include: ['e2e/share/**/*.test.ts'],
    // Each file has a workerd and a browser of its own.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});

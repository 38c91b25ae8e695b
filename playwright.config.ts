/**
 * End-to-end tests of the pages in Chromium: `npm run e2e:page`, or `npx playwright test e2e/page/files.spec.ts`. What the
 * tests open is built first, by e2e/support/built_pages.ts. STELE_LONG=1 runs the long forms of the endurance tests.
 */
import { defineConfig, devices } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  testMatch: ['page/**/*.spec.ts', 'app/**/*.spec.ts', 'mcp/**/*.spec.ts'],
  globalSetup: './e2e/support/built_pages.ts',
  outputDir: 'build/e2e',
  workers: 1,
  // What passes only the second time has a race in it, in the app or in the test.
  retries: 0,
  timeout: process.env.STELE_LONG ? 3_600_000 : 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'build/e2e.json' }]],
  snapshotPathTemplate: '{testDir}/{testFileDir}/baselines/{arg}{ext}',
  use: {
    ...devices['Desktop Chrome'],
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.STELE_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
    },
  },
});

import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'build/**'],
    // Commands are processes of their own that load the whole module: a few seconds each on a busy machine of two cores.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // node:sqlite is fit for use in this Node, which still warns of it.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});

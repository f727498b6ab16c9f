import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    server: { deps: { external: [/\/src\/lib\/drizzle\/.*\.cjs$/] } },
    maxWorkers: 3,
    // Not promises: they end what hangs, on the slowest machine that may run the suite.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Where one worker leaves what Node compiled, for the next one. Processes that tests start have it too. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Not promises: they end what hangs, on the slowest machine that may run the suite. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, teardownTimeout: 60_000 };

/** What stands outside of the tests' own process: started once in a run, when a project of it is the first to need it. */
const postgres = 'test/support/setup/postgres.ts';
const redis = 'test/support/setup/redis.ts';
const pgbouncer = 'test/support/setup/pgbouncer.ts';
const chromium = 'test/support/setup/chromium.ts';

const cheapPasswords = 'test/support/setup/cheap-passwords.ts';

/** Full disks of their own need root, who may mount one: `npm run test:long` alone. */
const leftOut = process.env['SOAK'] === '1' ? [] : ['test/faults/full-disk.test.ts'];

/** Its files load our modules once for each worker: what a file starts it ends. */
const project = (name: string, globalSetup: string[], setupFiles: string[] = [], folders = name) => ({
  test: {
    name,
    include: [`test/${folders}/**/*.test.ts`],
    exclude: leftOut,
    pool: 'forks' as const,
    // A tenth of the processor time went into collecting what lives as long as one test.
    execArgv: ['--max-semi-space-size=64'],
    isolate: false,
    // Node strips the types, as it does of the server: Vite would transform each file first. Nothing here mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup,
    setupFiles,
    ...timeouts,
  },
});

/**
 * Folders of test/ by what their files need. `npm test` runs the first three, which need what npm installs and nothing else;
 * `npm run test:full` runs all. A worker serves one project, and takes seconds to warm up: they are few.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      project('unit', []),
      project('db', [postgres], [cheapPasswords]),
      project('http', [postgres], [cheapPasswords]),
      project('guards', [postgres], [cheapPasswords]),
      project('faults', [postgres, redis, pgbouncer], [cheapPasswords]),
      project('process', [postgres, redis], [cheapPasswords]),
      project('browser', [postgres, chromium], [cheapPasswords]),
    ],
  },
});

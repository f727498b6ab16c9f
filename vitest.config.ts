import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Where one worker leaves what Node compiled of packages, for the next one. Processes that tests start have it too. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Not promises: they end what hangs, on the slowest machine that may run the suite. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, teardownTimeout: 60_000 };

/** What stands outside of the tests' own process: started once in a run, when a project of it is the first to need it. */
const postgres = 'test/support/setup/postgres.ts';
const redis = 'test/support/setup/redis.ts';
const chromium = 'test/support/setup/chromium.ts';

/** A folder of test/ is a project. The files of one that is `shared` load our modules once for each worker. */
const project = (name: string, { shared = false, globalSetup }: { shared?: boolean; globalSetup: string[] }) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: 'forks' as const,
    isolate: !shared,
    server: { deps: { external: [/\/src\/.*\.cjs$/] } },
    globalSetup,
    ...timeouts,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 4,
    projects: [
      project('unit', { shared: true, globalSetup: [] }),
      project('db', { shared: true, globalSetup: [postgres, redis] }),
      project('http', { shared: true, globalSetup: [postgres, redis] }),
      project('security', { shared: true, globalSetup: [postgres, redis] }),
      project('process', { globalSetup: [postgres, redis] }),
      project('browser', { globalSetup: [postgres, chromium] }),
      project('faults', { globalSetup: [postgres, redis] }),
    ],
  },
});

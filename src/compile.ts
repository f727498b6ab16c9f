import { importQuickly } from './quick-loading.ts';

// Run when the image is built: loads what a server, a migration and a health check load, so that what Node compiles of it is
// kept (quick-loading.ts), and no container has to compile it.
await importQuickly(() =>
  Promise.all([import('./serve.ts'), import('./cli/health.ts'), import('./cli/migrate.ts'), import('bullmq')]),
);

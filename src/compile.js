import { importQuickly, stripForLater } from './quick-loading.js';

// Run when the image is built: loads what a server, a migration, a health check and a command load, so that what Node compiles of it is
// kept, and no container has to compile it. That nothing starts is why it asks for the parts of server.ts.
stripForLater();
await importQuickly(() =>
  Promise.all([
    import('./app.ts'),
    import('./operator-app.ts'),
    import('./embedded/boot-database.ts'),
    import('./demo/load-demo.ts'),
    import('./prepare-database.ts'),
    import('./invariants.ts'),
    import('./http/describe-routes.ts'),
    import('./worker/start-worker.ts'),
    import('./cli/main.ts'),
    import('./cli/check-database.ts'),
    import('./cli/completion.ts'),
    import('./cli/health.ts'),
    import('./cli/migrate.ts'),
    import('bullmq'),
  ]),
);

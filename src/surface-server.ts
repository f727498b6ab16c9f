import { readBodies } from '#http/bodies.ts';
import { newServer } from '#http/new-server.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Brand } from '#lib/brand.ts';
import { readLanguages } from './routes/pages/languages.ts';
import { lookOf } from './routes/pages/page.ts';

/** A server for surfaces, with none mounted yet. */
export function surfaceServer(deps: Parameters<typeof newServer>[0] & { brand: Brand }): ZodApp {
  const app = newServer(deps);
  readBodies(app);
  app.decorate('languages', readLanguages());
  app.decorate('look', lookOf(deps.brand));
  return app;
}

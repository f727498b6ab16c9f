import { newServer } from '#http/new-server.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Resources } from './resources.ts';
import { getHealthLive } from './routes/open/get-health-live.ts';
import { getHealthReady } from './routes/open/get-health-ready.ts';
import { getMetrics } from './routes/open/get-metrics.ts';

/** What a process that only works answers: whether it is well, and its metrics where these have no port of their own. */
export function buildHealthApp(resources: Resources): ZodApp {
  const app = newServer(resources);
  getHealthLive(app);
  getHealthReady(app, resources);
  if (resources.config.METRICS_PORT === undefined) getMetrics(app, resources);
  return app;
}

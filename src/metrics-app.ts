import { newServer } from '#http/new-server.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Resources } from './resources.ts';
import { getMetrics } from './routes/open/get-metrics.ts';

/** What listens on METRICS_PORT: metrics, and nothing else. */
export function buildMetricsApp(resources: Resources): ZodApp {
  const app = newServer(resources);
  getMetrics(app, resources);
  return app;
}

import { newServer } from '#http/new-server.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getMetrics } from './routes/open/get-metrics.ts';

/** What listens on METRICS_PORT: metrics, and nothing else. */
export function buildMetricsApp(deps: DepsOf<typeof newServer> & Parameters<typeof getMetrics>[1]): ZodApp {
  const app = newServer(deps);
  getMetrics(app, deps);
  return app;
}

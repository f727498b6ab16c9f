import { newServer } from '#http/new-server.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getHealthLive } from './routes/open/get-health-live.ts';
import { getHealthReady } from './routes/open/get-health-ready.ts';
import { getMetrics } from './routes/open/get-metrics.ts';

/** What a process that only works answers: whether it is well, and its metrics where these have no port of their own. */
export function buildHealthApp(
  deps: DepsOf<typeof newServer> &
    Parameters<typeof getHealthReady>[1] &
    Parameters<typeof getMetrics>[1] & { metricsPort: number | undefined },
): ZodApp {
  const app = newServer(deps);
  getHealthLive(app);
  getHealthReady(app, deps);
  if (deps.metricsPort === undefined) getMetrics(app, deps);
  return app;
}

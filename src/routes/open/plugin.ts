import { newServer } from '#http/new-server.ts';
import { neverShed } from '#http/overload.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getHealthLive } from './get-health-live.ts';
import { getHealthReady } from './get-health-ready.ts';
import { getMetrics } from './get-metrics.ts';
import { getWellKnownJwksJson } from './get-well-known-jwks-json.ts';
import { getWellKnownOauthAuthorizationServer } from './get-well-known-oauth-authorization-server.ts';

const endpoints = [getHealthLive, getHealthReady, getWellKnownJwksJson, getWellKnownOauthAuthorizationServer];

type Deps = DepsOfEndpoints<typeof endpoints> & Parameters<typeof getMetrics>[1] & { metricsPort: number | undefined };

/** What anybody may ask: health, public keys, and metrics where they have no port of their own. */
export const openPlugin = (deps: Deps) => async (app: ZodApp) => {
  neverShed(app);
  for (const endpoint of endpoints) endpoint(app, deps);
  if (deps.metricsPort === undefined) getMetrics(app, deps);
};

type MetricsDeps = DepsOf<typeof newServer> & Parameters<typeof getMetrics>[1];

/** The server of a process that serves no surface: its health, and its metrics unless these have a port of their own. */
export function buildHealthApp(
  deps: MetricsDeps & Parameters<typeof getHealthReady>[1] & { metricsPort: number | undefined },
): ZodApp {
  const app = newServer(deps);
  neverShed(app);
  getHealthLive(app);
  getHealthReady(app, deps);
  if (deps.metricsPort === undefined) getMetrics(app, deps);
  return app;
}

/** The server that listens on METRICS_PORT: metrics, and nothing else. */
export function buildMetricsApp(deps: MetricsDeps): ZodApp {
  const app = newServer(deps);
  neverShed(app);
  getMetrics(app, deps);
  return app;
}

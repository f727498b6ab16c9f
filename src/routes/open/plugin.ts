import { neverShed } from '#http/overload.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
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

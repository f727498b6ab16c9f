import type { ZodApp } from '#http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getHealthLive } from './get-health-live.ts';
import { getHealthReady } from './get-health-ready.ts';
import { getJwks } from './get-jwks.ts';
import { getMetrics } from './get-metrics.ts';

const endpoints = [getHealthLive, getHealthReady, getJwks];

/** What anybody may ask: health, public keys, and metrics where they have no port of their own. */
export const openPlugin = (resources: Resources) => async (app: ZodApp) => {
  for (const endpoint of endpoints) endpoint(app, resources);
  if (resources.config.METRICS_PORT === undefined) getMetrics(app, resources);
};

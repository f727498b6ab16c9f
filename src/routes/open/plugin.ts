import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getHealthLive } from './get-health-live.ts';
import { getHealthReady } from './get-health-ready.ts';
import { getJwks } from './get-jwks.ts';

const endpoints = [getHealthLive, getHealthReady, getJwks];

/** What anybody may ask: health and public keys. */
export const openPlugin = (resources: Resources) => async (app: ZodApp) => {
  for (const endpoint of endpoints) endpoint(app, resources);
};

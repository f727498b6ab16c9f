import { requireApplication } from '../../http/auth/application.ts';
import { honourIdempotencyKeys } from '../../http/idempotency.ts';
import { neverStore } from '../../http/never-store.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getTags } from './get-tags.ts';
import { getWallet } from './get-wallet.ts';

const publicEndpoints = [getTags];
const protectedEndpoints = [getWallet];

/** The tag switch API: open to anybody, and behind an application token. */
export const switchPlugin = (resources: Resources) => async (app: ZodApp) => {
  for (const endpoint of publicEndpoints) endpoint(app, resources);
  await app.register(async (guarded: ZodApp) => {
    neverStore(guarded);
    requireApplication(guarded, resources);
    honourIdempotencyKeys(guarded, resources);
    for (const endpoint of protectedEndpoints) endpoint(guarded, resources);
  });
};

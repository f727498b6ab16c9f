import type { DepsOf } from '#lib/deps-of.ts';
import { authenticateCustomer } from '#modules/sessions';
import type { ZodApp } from '../zod-app.ts';
import { bearerOf } from './authorization.ts';
import { partnerOf } from './partner.ts';

/** Asks every route of this instance, which stands behind `requirePartner`, for a customer token of that partner. */
export function requireCustomer(app: ZodApp, deps: DepsOf<typeof authenticateCustomer>): void {
  app.addHook('onRequest', async (request) => {
    request.scheme = 'Bearer';
    request.customerId = await authenticateCustomer(deps, {
      partnerId: partnerOf(request).id,
      token: bearerOf(request),
    });
  });
}

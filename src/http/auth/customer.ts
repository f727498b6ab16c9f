import { authenticateCustomer } from '#modules/sessions';
import type { Resources } from '../../resources.ts';
import type { ZodApp } from '../zod-app.ts';
import { bearerOf } from './bearer.ts';
import { partnerOf } from './partner.ts';

/** Asks every route of this instance, which stands behind `requirePartner`, for a customer token of that partner. */
export function requireCustomer(app: ZodApp, resources: Resources): void {
  app.addHook('onRequest', async (request) => {
    request.scheme = 'Bearer';
    request.customerId = await authenticateCustomer(resources, {
      partnerId: partnerOf(request).id,
      token: bearerOf(request),
    });
  });
}

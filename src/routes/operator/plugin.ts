import { requireOperator } from '../../http/auth/operator.ts';
import { honourIdempotencyKeys } from '../../http/idempotency.ts';
import { neverStore } from '../../http/never-store.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getDeliveries } from './get-deliveries.ts';
import { getDelivery } from './get-delivery.ts';
import { postDeliveryResend } from './post-delivery-resend.ts';
import { postPartnerFloat } from './post-partner-float.ts';
import { postPartners } from './post-partners.ts';

const endpoints = [postPartners, postPartnerFloat, getDeliveries, getDelivery, postDeliveryResend];

/** The operator API: camelCase in and out, behind the operator's bearer token. */
export const operatorPlugin = (resources: Resources) => async (app: ZodApp) => {
  neverStore(app);
  requireOperator(app, resources);
  honourIdempotencyKeys(app, resources);
  for (const endpoint of endpoints) endpoint(app, resources);
};

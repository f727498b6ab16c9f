import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { listDeliveries } from '#modules/webhooks';
import { deliveriesQuery, deliveryShape, toDelivery } from '#wire/delivery.ts';
import { listOf, pageOf } from '#wire/paging.ts';

export function getWebhookDeliveries(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/webhook/deliveries',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Find webhook deliveries of this partner, newest first',
        security: partnerOnly,
        querystring: deliveriesQuery,
        response: { 200: listOf(deliveryShape), ...failuresFor(400, 401, 403) },
      },
    },
    async (request) => {
      const found = await listDeliveries(db, { ...request.query, partnerId: partnerOf(request).id });
      return pageOf(found, request.query, toDelivery);
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { getDelivery } from '#modules/webhooks';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';

export function getWebhookDeliveriesById(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/webhook/deliveries/:id',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'getDelivery',
        summary: 'A webhook delivery of this partner with each of its attempts',
        security: partnerOnly,
        params: deliveryParams,
        response: { 200: deliveryWithAttempts, ...failuresFor('DELIVERY_NOT_FOUND') },
      },
    },
    async (request) => toDeliveryWithAttempts(await getDelivery(db, request.params.id, partnerOf(request).id)),
  );
}

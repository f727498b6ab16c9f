import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { getDelivery as findDelivery } from '#modules/webhooks';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';

export function getDeliveriesById(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/deliveries/:id',
    {
      schema: {
        operationId: 'getDelivery',
        summary: 'A webhook delivery with each of its attempts',
        params: deliveryParams,
        response: { 200: deliveryWithAttempts, ...failuresFor('DELIVERY_NOT_FOUND') },
      },
    },
    async (request) => toDeliveryWithAttempts(await findDelivery(db, request.params.id)),
  );
}

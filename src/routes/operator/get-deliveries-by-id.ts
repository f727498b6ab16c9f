import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { getDelivery as findDelivery } from '#modules/webhooks';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';

export function getDeliveriesById(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
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
    async ({ actor, params }) =>
      toDeliveryWithAttempts(await readLong(actor, async (db) => findDelivery(db, params.id))),
  );
}

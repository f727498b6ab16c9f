import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { readDelivery } from '#modules/enquiries';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';
import { sentShape, toSent } from './shapes/sent.ts';

const shape = deliveryWithAttempts.extend({
  request: sentShape.meta({ description: 'What the latest attempt sent, or what the first will' }),
});

export function getDeliveriesById(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readDelivery>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/deliveries/:id',
    {
      schema: {
        operationId: 'getDelivery',
        summary: 'A webhook delivery with each of its attempts, and what is sent: headers, body and signature',
        params: deliveryParams,
        response: { 200: shape, ...failuresFor('DELIVERY_NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { request, ...delivery } = await readLong(actor, async (db) => readDelivery({ ...deps, db }, params.id));
      return { ...toDeliveryWithAttempts(delivery), request: toSent(request) };
    },
  );
}

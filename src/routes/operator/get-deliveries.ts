import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listDeliveries } from '#modules/webhooks';
import { deliveriesQuery, deliveryPages, deliveryShape, toDelivery } from '#wire/delivery.ts';
import { listOf } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';

const query = deliveriesQuery.extend({
  partnerId: optional(z.uuid()),
  applicationId: optional(z.uuid()),
  waiting: optional(z.enum(['DUE', 'HELD'])).meta({
    description:
      'Of those that are PENDING. DUE: to be sent, now or again later. HELD: it waits for its receiver, which is paused or has no URL, or for an earlier one of its wallet',
  }),
});

export function getDeliveries(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        summary: 'Find webhook deliveries, newest first',
        querystring: query,
        response: { 200: listOf(deliveryShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listDeliveries(db, request.query));
      return deliveryPages.page(found, request.query, toDelivery);
    },
  );
}

import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { listDeliveries } from '#modules/webhooks';
import { deliveriesQuery, deliveryShape, toDelivery } from '#wire/delivery.ts';
import { listOf, pageOf } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';

const query = deliveriesQuery.extend({ partnerId: optional(z.uuid()), applicationId: optional(z.uuid()) });

export function getDeliveries(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/deliveries',
    {
      schema: {
        summary: 'Find webhook deliveries, newest first',
        querystring: query,
        response: { 200: listOf(deliveryShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => {
      return pageOf(await listDeliveries(db, request.query), request.query, toDelivery);
    },
  );
}

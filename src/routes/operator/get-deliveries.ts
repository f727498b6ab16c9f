import { z } from 'zod';
import { listDeliveries } from '#modules/outbox';
import { failuresFor } from '../../http/openapi-meta.ts';
import { listOf, paging } from '../../http/paging.ts';
import { optional, text } from '../../http/text.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { deliveryShape, toDelivery } from './delivery-shapes.ts';

const query = paging.extend({
  status: optional(z.enum(['PENDING', 'DELIVERED', 'FAILED'])),
  partnerId: optional(z.uuid()),
  applicationId: optional(z.uuid()),
  event: optional(text(100)),
});

export function getDeliveries(app: ZodApp, { db }: Resources): void {
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
      const { limit, offset } = request.query;
      const { items, count } = await listDeliveries(db, request.query);
      return { items: items.map(toDelivery), count, limit, offset };
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listOwnDeliveries } from '#modules/webhooks';
import { deliveriesQuery, deliveryPages, deliveryShape, toDelivery } from '#wire/delivery.ts';
import { listOf } from '#wire/paging.ts';

export function getWebhookDeliveries(app: ZodApp, deps: DepsOf<typeof listOwnDeliveries>): void {
  app.get(
    '/webhook/deliveries',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'listDeliveries',
        summary: 'Find webhook deliveries of this partner, newest first',
        security: partnerOnly,
        querystring: deliveriesQuery,
        response: { 200: listOf(deliveryShape) },
      },
    },
    async (request) => {
      const found = await listOwnDeliveries(deps, { ...request.query, partnerId: partnerOf(request).id });
      return deliveryPages.page(found, request.query, toDelivery);
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { resendDelivery } from '#modules/webhooks';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';

export function postWebhookDeliveriesResend(app: ZodApp, deps: DepsOf<typeof resendDelivery>): void {
  app.post(
    '/webhook/deliveries/:id/resend',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'resendDelivery',
        summary: 'Deliver an event once more: a new delivery with attempts of its own',
        security: partnerOnly,
        params: deliveryParams,
        response: {
          200: deliveryWithAttempts,
          ...failuresFor('DELIVERY_NOT_FOUND', 'DELIVERY_PURGED', 'ENDPOINT_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const ownerId = partnerOf(request).id;
      const resending = { actor: request.credential, deliveryId: request.params.id, ownerId };
      return toDeliveryWithAttempts(await resendDelivery(deps, resending));
    },
  );
}

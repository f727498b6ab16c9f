import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { resendDelivery } from '#modules/webhooks';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postDeliveriesResend(app: ZodApp, deps: DepsOf<typeof resendDelivery>): void {
  app.post(
    '/deliveries/:id/resend',
    {
      schema: {
        operationId: 'resendDelivery',
        summary: 'Deliver an event once more: a new delivery with attempts of its own',
        params: deliveryParams,
        body: optionalReasonBody,
        response: {
          200: deliveryWithAttempts,
          ...failuresFor('DELIVERY_NOT_FOUND', 'DELIVERY_PURGED', 'ENDPOINT_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const resending = { ...request.body, actor: request.actor, deliveryId: request.params.id };
      return toDeliveryWithAttempts(await resendDelivery(deps, resending));
    },
  );
}

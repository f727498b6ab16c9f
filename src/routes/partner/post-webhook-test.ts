import { partnerOf } from '#http/auth/partner.ts';
import { deliveryWithAttempts, toDeliveryWithAttempts } from '#http/delivery-shapes.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { sendTestEvent } from '#modules/webhooks';
import type { Resources } from '../../resources.ts';

export function postWebhookTest(app: ZodApp, resources: Resources): void {
  app.post(
    '/webhook/test',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Send a test event, webhook.test, as every event is sent',
        security: partnerOnly,
        response: { 200: deliveryWithAttempts, ...failuresFor(400, 401, 403, 409) },
      },
    },
    async (request) => toDeliveryWithAttempts(await sendTestEvent(resources, partnerOf(request).id)),
  );
}

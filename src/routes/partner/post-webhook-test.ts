import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendTestEvent } from '#modules/webhooks';
import { deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';

export function postWebhookTest(app: ZodApp, deps: DepsOf<typeof sendTestEvent>): void {
  app.post(
    '/webhook/test',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'sendTestEvent',
        summary: 'Send a test event, webhook.test, as every event is sent',
        security: partnerOnly,
        response: { 200: deliveryWithAttempts, ...failuresFor('WEBHOOK_URL_NOT_SET') },
      },
    },
    async (request) => toDeliveryWithAttempts(await sendTestEvent(deps, partnerOf(request).id)),
  );
}

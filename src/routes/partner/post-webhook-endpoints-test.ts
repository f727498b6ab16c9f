import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendTestEvent } from '#modules/webhooks';
import { deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';
import { endpointParams } from '#wire/webhook.ts';

export function postWebhookEndpointsTest(app: ZodApp, deps: DepsOf<typeof sendTestEvent>): void {
  app.post(
    '/webhook/endpoints/:id/test',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'testEndpoint',
        summary: 'Send a test event, webhook.test, to one webhook endpoint',
        security: partnerOnly,
        params: endpointParams,
        response: {
          200: deliveryWithAttempts,
          ...failuresFor('ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_NOT_SET', 'TOO_MANY_REQUESTS'),
        },
      },
    },
    async (request) => toDeliveryWithAttempts(await sendTestEvent(deps, partnerOf(request).id, request.params.id)),
  );
}

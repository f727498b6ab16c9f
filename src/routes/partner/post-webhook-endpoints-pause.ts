import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { pauseReceiver } from '#modules/webhooks';
import { endpointParams, endpointShape, pauseBody, toEndpoint } from '#wire/webhook.ts';

export function postWebhookEndpointsPause(app: ZodApp, deps: DepsOf<typeof pauseReceiver>): void {
  app.post(
    '/webhook/endpoints/:id/pause',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'pauseEndpoint',
        summary: 'Send a webhook endpoint nothing until it is resumed; its events are kept',
        security: partnerOnly,
        params: endpointParams,
        body: pauseBody,
        response: { 200: endpointShape, ...failuresFor('ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const change = {
        ...request.body,
        actor: request.credential,
        by: 'OWNER',
        ownerId: partnerOf(request).id,
        endpointId: request.params.id,
      } as const;
      return toEndpoint(await pauseReceiver(deps, change), deps.clock.now());
    },
  );
}

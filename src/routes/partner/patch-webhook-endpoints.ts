import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeEndpoint } from '#modules/webhooks';
import { endpointChange, endpointParams, endpointShape, toEndpoint } from '#wire/webhook.ts';

export function patchWebhookEndpoints(app: ZodApp, deps: DepsOf<typeof changeEndpoint>): void {
  app.patch(
    '/webhook/endpoints/:id',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'changeEndpoint',
        summary: 'Change where a webhook endpoint is, what it is sent and how; what is left out stays',
        security: partnerOnly,
        params: endpointParams,
        body: endpointChange,
        response: { 200: endpointShape, ...failuresFor('WEBHOOK_TARGET_REFUSED', 'ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const named = { actor: request.credential, ownerId: partnerOf(request).id, endpointId: request.params.id };
      return toEndpoint(await changeEndpoint(deps, { ...request.body, ...named }), deps.clock.now());
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { getEndpoint } from '#modules/webhooks';
import { endpointParams, endpointShape, toEndpoint } from '#wire/webhook.ts';

export function getWebhookEndpointsById(app: ZodApp, deps: { db: Database; clock: Clock }): void {
  app.get(
    '/webhook/endpoints/:id',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'getEndpoint',
        summary: 'A webhook endpoint of this partner, and how it is doing',
        security: partnerOnly,
        params: endpointParams,
        response: { 200: endpointShape, ...failuresFor('ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const name = { ownerId: partnerOf(request).id, endpointId: request.params.id };
      return toEndpoint(await getEndpoint(deps, name), deps.clock.now());
    },
  );
}

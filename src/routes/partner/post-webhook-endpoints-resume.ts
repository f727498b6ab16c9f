import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { resumeReceiver } from '#modules/webhooks';
import { endpointParams, endpointShape, toEndpoint } from '#wire/webhook.ts';

export function postWebhookEndpointsResume(app: ZodApp, deps: DepsOf<typeof resumeReceiver>): void {
  app.post(
    '/webhook/endpoints/:id/resume',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'resumeEndpoint',
        summary: 'Send a webhook endpoint its events again, those kept meanwhile first',
        security: partnerOnly,
        params: endpointParams,
        response: { 200: endpointShape, ...failuresFor('ENDPOINT_NOT_FOUND', 'RECEIVER_PAUSED_BY_OPERATOR') },
      },
    },
    async (request) => {
      const change = {
        actor: request.credential,
        by: 'OWNER',
        ownerId: partnerOf(request).id,
        endpointId: request.params.id,
      } as const;
      return toEndpoint(await resumeReceiver(deps, change), deps.clock.now());
    },
  );
}

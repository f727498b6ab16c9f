import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { deleteEndpoint } from '#modules/webhooks';
import { endpointParams } from '#wire/webhook.ts';

export function deleteWebhookEndpoints(app: ZodApp, deps: DepsOf<typeof deleteEndpoint>): void {
  app.delete(
    '/webhook/endpoints/:id',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'deleteEndpoint',
        summary: 'Delete a webhook endpoint; its deliveries stay, and pending ones become FAILED',
        security: partnerOnly,
        params: endpointParams,
        response: { 204: z.null(), ...failuresFor('ENDPOINT_NOT_FOUND', 'ENDPOINT_IS_DEFAULT') },
      },
    },
    async (request, reply) => {
      const named = { actor: request.credential, ownerId: partnerOf(request).id, endpointId: request.params.id };
      await deleteEndpoint(deps, named);
      return reply.code(204).send(null);
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateWebhookSecret } from '#modules/clients';
import { endpointParams, rotatedSecretShape, rotationBody, toRotatedSecret } from '#wire/webhook.ts';

export function postWebhookEndpointsSecretRotate(app: ZodApp, deps: DepsOf<typeof rotateWebhookSecret>): void {
  app.post(
    '/webhook/endpoints/:id/secret/rotate',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'rotateEndpointSecret',
        summary: 'A new secret of a webhook endpoint, shown this once; the one before signs too for a while',
        security: partnerOnly,
        params: endpointParams,
        body: rotationBody,
        response: { 200: rotatedSecretShape, ...failuresFor('ENDPOINT_NOT_FOUND', 'SECRET_OVERLAP_RUNNING') },
      },
    },
    async (request) => {
      const owner = { ownerKind: 'PARTNER' as const, ownerId: partnerOf(request).id };
      const asked = { ...request.body, owner, endpointId: request.params.id, actor: request.credential };
      return toRotatedSecret(await rotateWebhookSecret(deps, asked));
    },
  );
}

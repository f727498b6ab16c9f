import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateWebhookSecret } from '#modules/clients';
import { rotatedSecretShape, rotationBody, toRotatedSecret } from '#wire/webhook.ts';

export function postWebhookSecretRotate(app: ZodApp, deps: DepsOf<typeof rotateWebhookSecret>): void {
  app.post(
    '/webhook/secret/rotate',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'rotateWebhookSecret',
        summary: 'A new webhook secret, shown this once; the one before signs too for a while',
        security: partnerOnly,
        body: rotationBody,
        response: { 200: rotatedSecretShape, ...failuresFor('SECRET_OVERLAP_RUNNING') },
      },
    },
    async (request) => {
      const owner = { ownerKind: 'PARTNER' as const, ownerId: partnerOf(request).id };
      return toRotatedSecret(await rotateWebhookSecret(deps, { ...request.body, owner, actor: request.credential }));
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createEndpoint } from '#modules/webhooks';
import { createdEndpoint, newEndpoint, toEndpoint } from '#wire/webhook.ts';

export function postWebhookEndpoints(app: ZodApp, deps: DepsOf<typeof createEndpoint>): void {
  app.post(
    '/webhook/endpoints',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'createEndpoint',
        summary: 'Have this partner’s events sent to another endpoint too; its secret is shown this once',
        security: partnerOnly,
        body: newEndpoint,
        response: { 201: createdEndpoint, ...failuresFor('WEBHOOK_TARGET_REFUSED', 'ENDPOINT_LIMIT') },
      },
    },
    async (request, reply) => {
      const asked = { ...request.body, actor: request.credential, ownerId: partnerOf(request).id };
      const { secret, ...created } = await createEndpoint(deps, asked);
      return reply.code(201).send({ ...toEndpoint(created, deps.clock.now()), webhookSecret: secret });
    },
  );
}

import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { listEndpoints } from '#modules/webhooks';
import { endpointsShape, toEndpoint } from '#wire/webhook.ts';

export function getWebhookEndpoints(app: ZodApp, deps: { db: Database; clock: Clock }): void {
  app.get(
    '/webhook/endpoints',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'listEndpoints',
        summary: 'All webhook endpoints of this partner, the default one first',
        security: partnerOnly,
        response: { 200: endpointsShape },
      },
    },
    async (request) => {
      const found = await listEndpoints(deps, partnerOf(request).id);
      const now = deps.clock.now();
      return { items: found.map((endpoint) => toEndpoint(endpoint, now)), count: found.length };
    },
  );
}

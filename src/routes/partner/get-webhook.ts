import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getReceiver } from '#modules/webhooks';
import { toWebhook, type WebhookViewDeps, webhookShape } from '#wire/webhook.ts';

export function getWebhook(app: ZodApp, deps: { readLong: ReadLong } & WebhookViewDeps): void {
  app.get(
    '/webhook',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'getWebhook',
        summary: 'Where this partner’s events go',
        security: partnerOnly,
        response: { 200: webhookShape },
      },
    },
    async (request) => {
      const { id } = partnerOf(request);
      const receiver = await deps.readLong(`partner:${id}`, async (db) => getReceiver(db, id, deps.clock));
      return toWebhook(receiver, deps);
    },
  );
}

import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getReceiver } from '#modules/webhooks';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { toWebhook, type WebhookViewDeps, webhookShape } from '#wire/webhook.ts';

export function getApplicationsWebhook(app: ZodApp, deps: { readLong: ReadLong } & WebhookViewDeps): void {
  app.get(
    '/applications/webhook',
    {
      schema: {
        tags: ['Application identity', 'Extension'],
        operationId: 'getWebhook',
        summary: 'Where this application’s events go',
        security: applicationOnly,
        response: { 200: envelopeOf(webhookShape) },
      },
    },
    async (request) => {
      const { id } = applicationOf(request);
      const receiver = await deps.readLong(`application:${id}`, async (db) => getReceiver(db, id, deps.clock));
      return enveloped(deps.clock, 'webhook', toWebhook(receiver, deps));
    },
  );
}

import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { getReceiver } from '#modules/webhooks';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { toWebhook, webhookShape } from '#wire/webhook.ts';

export function getApplicationsWebhook(app: ZodApp, { db, clock }: { db: Database; clock: Clock }): void {
  app.get(
    '/applications/webhook',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Where this application’s events go',
        security: applicationOnly,
        response: { 200: envelopeOf(webhookShape), ...failuresFor(401, 403) },
      },
    },
    async (request) => {
      const receiver = await getReceiver(db, applicationOf(request).id, clock);
      return enveloped(clock, 'webhook', toWebhook(receiver, clock.now()));
    },
  );
}

import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeWebhookUrl } from '#modules/webhooks';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { toWebhook, type WebhookViewDeps, webhookChange, webhookShape } from '#wire/webhook.ts';

export function putApplicationsWebhook(app: ZodApp, deps: DepsOf<typeof changeWebhookUrl> & WebhookViewDeps): void {
  app.put(
    '/applications/webhook',
    {
      schema: {
        tags: ['Application identity', 'Extension'],
        operationId: 'setWebhook',
        summary: 'Send this application’s events elsewhere; without a URL they are kept until there is one',
        security: applicationOnly,
        body: webhookChange,
        response: { 200: envelopeOf(webhookShape), ...failuresFor('WEBHOOK_TARGET_REFUSED') },
      },
    },
    async (request) => {
      const change = { ...request.body, actor: request.credential, ownerId: applicationOf(request).id };
      const changed = await changeWebhookUrl(deps, change);
      return enveloped(deps.clock, 'webhook changed', toWebhook(changed, deps));
    },
  );
}

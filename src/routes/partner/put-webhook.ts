import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeWebhookUrl } from '#modules/webhooks';
import { toWebhook, type WebhookViewDeps, webhookChange, webhookShape } from '#wire/webhook.ts';

export function putWebhook(app: ZodApp, deps: DepsOf<typeof changeWebhookUrl> & WebhookViewDeps): void {
  app.put(
    '/webhook',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'setWebhook',
        summary: 'Send this partner’s events elsewhere; without a URL they are kept until there is one',
        security: partnerOnly,
        body: webhookChange,
        response: { 200: webhookShape, ...failuresFor('WEBHOOK_TARGET_REFUSED') },
      },
    },
    async (request) => {
      const change = { ...request.body, actor: request.credential, ownerId: partnerOf(request).id };
      return toWebhook(await changeWebhookUrl(deps, change), deps);
    },
  );
}

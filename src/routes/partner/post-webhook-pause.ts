import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { pauseReceiver } from '#modules/webhooks';
import { pauseBody, toWebhook, type WebhookViewDeps, webhookShape } from '#wire/webhook.ts';

export function postWebhookPause(app: ZodApp, deps: DepsOf<typeof pauseReceiver> & WebhookViewDeps): void {
  app.post(
    '/webhook/pause',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'pauseWebhook',
        summary: 'Send this partner nothing until it is resumed; its events are kept',
        security: partnerOnly,
        body: pauseBody,
        response: { 200: webhookShape },
      },
    },
    async (request) => {
      const change = {
        ...request.body,
        actor: request.credential,
        by: 'OWNER',
        ownerId: partnerOf(request).id,
      } as const;
      return toWebhook(await pauseReceiver(deps, change), deps);
    },
  );
}

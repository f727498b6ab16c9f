import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { resumeReceiver } from '#modules/webhooks';
import { toWebhook, type WebhookViewDeps, webhookShape } from '#wire/webhook.ts';

export function postWebhookResume(app: ZodApp, deps: DepsOf<typeof resumeReceiver> & WebhookViewDeps): void {
  app.post(
    '/webhook/resume',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'resumeWebhook',
        summary: 'Send this partner its events again, those kept meanwhile first',
        security: partnerOnly,
        response: { 200: webhookShape, ...failuresFor('RECEIVER_PAUSED_BY_OPERATOR') },
      },
    },
    async (request) => {
      const change = { actor: request.credential, by: 'OWNER', ownerId: partnerOf(request).id } as const;
      return toWebhook(await resumeReceiver(deps, change), deps);
    },
  );
}

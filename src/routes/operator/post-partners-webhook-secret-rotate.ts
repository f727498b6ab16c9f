import type { ZodApp } from '#http/zod-app.ts';
import { type WebhookSecretDeps, webhookSecretAction, webhookSecretHandler } from './webhook-secret-action.ts';

export function postPartnersWebhookSecretRotate(app: ZodApp, deps: WebhookSecretDeps): void {
  const name = 'POST /partners/:id/webhook/secret/rotate';
  app.post(
    '/partners/:id/webhook/secret/rotate',
    {
      schema: {
        ...webhookSecretAction,
        operationId: 'rotatePartnerWebhookSecret',
        summary: 'Give a partner a new webhook secret; the one before signs too for a while',
      },
    },
    webhookSecretHandler(app, deps, { name, ownerKind: 'PARTNER' }),
  );
}

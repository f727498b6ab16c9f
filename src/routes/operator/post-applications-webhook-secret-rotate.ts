import type { ZodApp } from '#http/zod-app.ts';
import { type WebhookSecretDeps, webhookSecretAction, webhookSecretHandler } from './webhook-secret-action.ts';

export function postApplicationsWebhookSecretRotate(app: ZodApp, deps: WebhookSecretDeps): void {
  const name = 'POST /applications/:id/webhook/secret/rotate';
  app.post(
    '/applications/:id/webhook/secret/rotate',
    {
      schema: {
        ...webhookSecretAction,
        operationId: 'rotateApplicationWebhookSecret',
        summary: 'Give an application a new webhook secret; the one before signs too for a while',
      },
    },
    webhookSecretHandler(app, deps, { name, ownerKind: 'APPLICATION' }),
  );
}

import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { runWebhookSecretAction, webhookSecretAction } from './webhook-secret-action.ts';

export function postPartnersWebhookSecretRotate(app: ZodApp, deps: DepsOf<typeof runWebhookSecretAction>): void {
  app.post(
    '/partners/:id/webhook/secret/rotate',
    {
      schema: {
        ...webhookSecretAction,
        operationId: 'rotatePartnerWebhookSecret',
        summary: 'Give a partner a new webhook secret; the one before signs too for a while',
      },
    },
    async (request) => runWebhookSecretAction(deps, 'PARTNER', request),
  );
}

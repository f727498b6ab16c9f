import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { runWebhookSecretAction, webhookSecretAction } from './webhook-secret-action.ts';

export function postApplicationsWebhookSecretRotate(app: ZodApp, deps: DepsOf<typeof runWebhookSecretAction>): void {
  app.post(
    '/applications/:id/webhook/secret/rotate',
    {
      schema: {
        ...webhookSecretAction,
        operationId: 'rotateApplicationWebhookSecret',
        summary: 'Give an application a new webhook secret; the one before signs too for a while',
      },
    },
    async (request) => runWebhookSecretAction(deps, 'APPLICATION', request),
  );
}

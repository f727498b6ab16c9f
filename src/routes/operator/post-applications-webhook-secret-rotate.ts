import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateSecret } from '#modules/outbox';
import { rotatedSecretShape, toRotatedSecret } from '#wire/webhook.ts';
import { rotationBody } from './shapes/receiver.ts';

export function postApplicationsWebhookSecretRotate(app: ZodApp, deps: DepsOf<typeof rotateSecret>): void {
  app.post(
    '/applications/:id/webhook/secret/rotate',
    {
      schema: {
        summary: 'Give an application a new webhook secret; the one before signs too for a while',
        params: z.object({ id: z.uuid() }),
        body: rotationBody,
        response: { 200: rotatedSecretShape, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const owner = { ownerKind: 'APPLICATION' as const, ownerId: request.params.id };
      return toRotatedSecret(await rotateSecret(deps, { ...request.body, owner, actor: request.credential }));
    },
  );
}

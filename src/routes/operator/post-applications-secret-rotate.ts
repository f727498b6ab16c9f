import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateClientSecret } from '#modules/applications';
import { immediately, rotatedClientSecretShape, toRotatedClientSecret } from '#wire/client-secret.ts';
import { optionalReason } from '#wire/text.ts';
import { idParams } from './shapes/params.ts';

export function postApplicationsSecretRotate(app: ZodApp, deps: DepsOf<typeof rotateClientSecret>): void {
  app.post(
    '/applications/:id/secret/rotate',
    {
      schema: {
        operationId: 'rotateClientSecret',
        summary: 'Give an application a new client secret; the one before is taken too for a day',
        params: idParams,
        body: z.object({ immediately, reason: optionalReason }).nullish(),
        response: { 200: rotatedClientSecretShape, ...failuresFor('APPLICATION_NOT_FOUND', 'SECRET_OVERLAP_RUNNING') },
      },
    },
    async (request) => {
      const given = {
        id: request.params.id,
        actor: request.actor,
        immediately: request.body?.immediately ?? false,
        reason: request.body?.reason,
      };
      return toRotatedClientSecret(await rotateClientSecret(deps, given));
    },
  );
}

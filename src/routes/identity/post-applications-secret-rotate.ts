import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateClientSecret } from '#modules/clients';
import { immediately, rotatedClientSecretShape, toRotatedClientSecret } from '#wire/client-secret.ts';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { secret } from '#wire/text.ts';

const body = z.object({
  client_secret: secret.max(200).meta({ description: 'The secret so far: a token alone changes no secret' }),
  immediately,
});

export function postApplicationsSecretRotate(
  app: ZodApp,
  deps: DepsOf<typeof rotateClientSecret> & { clock: Clock },
): void {
  app.post(
    '/applications/secret/rotate',
    {
      schema: {
        tags: ['Application identity', 'Extension'],
        operationId: 'rotateClientSecret',
        summary: 'Get a new client secret; the one before is taken too for a day',
        security: applicationOnly,
        body,
        response: {
          200: envelopeOf(rotatedClientSecretShape),
          ...failuresFor('INVALID_CLIENT', 'SECRET_OVERLAP_RUNNING'),
        },
      },
    },
    async (request) => {
      const { client_secret: provenBy, immediately: atOnce } = request.body;
      const { id } = applicationOf(request);
      const given = { id, actor: request.credential, immediately: atOnce, provenBy };
      const rotated = await rotateClientSecret(deps, given);
      return enveloped(deps.clock, 'client secret rotated', toRotatedClientSecret(rotated));
    },
  );
}

import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateSigningKeys } from '#modules/signing-keys';
import { optional } from '#wire/text.ts';
import { reasonBody } from './shapes/reason.ts';

export function postKeysRotate(app: ZodApp, deps: DepsOf<typeof rotateSigningKeys>): void {
  app.post(
    '/keys/rotate',
    {
      schema: {
        operationId: 'rotateSigningKey',
        summary: 'Sign tokens with the next key from now on; nobody is logged out',
        body: reasonBody.extend({
          immediately: optional(z.boolean()).meta({
            description:
              'Also while verifiers may not know the next key yet: they refuse what it signs for up to 300 s',
          }),
        }),
        response: {
          200: z.object({ current: z.string(), next: z.string() }),
          ...failuresFor('SIGNING_KEY_TOO_NEW'),
        },
      },
    },
    async (request) => rotateSigningKeys(deps, { ...request.body, actor: request.actor }),
  );
}

import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateSigningKeys } from '#modules/signing-keys';
import { reasonBody } from './shapes/reason.ts';

export function postKeysRotate(app: ZodApp, deps: DepsOf<typeof rotateSigningKeys>): void {
  app.post(
    '/keys/rotate',
    {
      schema: {
        operationId: 'rotateSigningKey',
        summary: 'Sign tokens with the next key from now on; nobody is logged out',
        body: reasonBody,
        response: { 200: z.object({ current: z.string(), next: z.string() }) },
      },
    },
    async (request) => rotateSigningKeys(deps, { ...request.body, actor: request.actor }),
  );
}

import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revokeSigningKey } from '#modules/signing-keys';
import { reasonBody } from './shapes/reason.ts';
import { signingKeyShape, toSigningKey } from './shapes/signing-key.ts';

export function postKeysRevoke(app: ZodApp, deps: DepsOf<typeof revokeSigningKey>): void {
  app.post(
    '/keys/:kid/revoke',
    {
      schema: {
        operationId: 'revokeSigningKey',
        summary: 'End a signing key that somebody else may have: within a second no token that it signed is good',
        params: z.object({ kid: z.string() }),
        body: reasonBody,
        response: { 200: signingKeyShape, ...failuresFor('SIGNING_KEY_NOT_FOUND', 'SIGNING_KEY_REVOKED') },
      },
    },
    async (request) => {
      const revocation = { ...request.body, ...request.params, actor: request.actor };
      return toSigningKey(await revokeSigningKey(deps, revocation));
    },
  );
}

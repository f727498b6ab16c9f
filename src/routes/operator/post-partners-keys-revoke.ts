import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revokeApiKey } from '#modules/partners';
import { idParams } from './shapes/params.ts';
import { keyShape, toKey } from './shapes/partner.ts';
import { reasonBody } from './shapes/reason.ts';

export function postPartnersKeysRevoke(app: ZodApp, deps: DepsOf<typeof revokeApiKey>): void {
  app.post(
    '/partners/:id/keys/:keyId/revoke',
    {
      schema: {
        operationId: 'revokeApiKey',
        summary: 'End an API key of a partner, also the last one',
        params: idParams.extend({ keyId: z.uuid() }),
        body: reasonBody,
        response: { 200: keyShape, ...failuresFor('API_KEY_NOT_FOUND', 'PARTNER_NOT_FOUND', 'API_KEY_REVOKED') },
      },
    },
    async (request) => {
      const { id: partnerId, keyId } = request.params;
      const revocation = { ...request.body, partnerId, keyId, actor: request.actor };
      return toKey(await revokeApiKey(deps, revocation));
    },
  );
}

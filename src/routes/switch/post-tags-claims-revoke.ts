import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revokeClaim } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { claimShape, toClaim } from '#wire/tag.ts';
import { claimParams } from './shapes.ts';

export function postTagsClaimsRevoke(app: ZodApp, deps: DepsOf<typeof revokeClaim> & { clock: Clock }): void {
  app.post(
    '/tags/:tag/claims/:claimId/revoke',
    {
      schema: {
        tags: ['Claims', 'Extension'],
        operationId: 'revokeClaim',
        summary: 'End an approved claim, from either side',
        security: applicationOnly,
        params: claimParams,
        response: { 200: envelopeOf(claimShape), ...failuresFor('CLAIM_NOT_FOUND', 'CLAIM_NOT_APPROVED') },
      },
    },
    async (request) => {
      const result = await revokeClaim(deps, applicationOf(request), {
        address: request.params.tag,
        claimId: request.params.claimId,
      });
      return enveloped(deps.clock, 'claim revoked', toClaim(result));
    },
  );
}

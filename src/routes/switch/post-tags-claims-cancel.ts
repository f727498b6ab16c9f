import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { cancelClaim } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { claimShape, toClaim } from '#wire/tag.ts';
import { claimParams } from './shapes.ts';

export function postTagsClaimsCancel(app: ZodApp, deps: DepsOf<typeof cancelClaim> & { clock: Clock }): void {
  app.post(
    '/tags/:tag/claims/:claimId/cancel',
    {
      schema: {
        tags: ['Claims', 'Extension'],
        operationId: 'cancelClaim',
        summary: 'Take back a claim of yours that is pending',
        security: applicationOnly,
        params: claimParams,
        response: {
          200: envelopeOf(claimShape),
          ...failuresFor('NOT_PERMITTED', 'CLAIM_NOT_FOUND', 'CLAIM_NOT_PENDING'),
        },
      },
    },
    async (request) => {
      const result = await cancelClaim(deps, applicationOf(request), {
        address: request.params.tag,
        claimId: request.params.claimId,
      });
      return enveloped(deps.clock, 'claim cancelled', toClaim(result));
    },
  );
}

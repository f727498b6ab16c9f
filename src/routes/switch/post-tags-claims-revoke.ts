import { applicationOf } from '#http/auth/application.ts';
import { claimParams, claimShape, toClaim } from '#http/claim-shapes.ts';
import { enveloped, envelopeOf } from '#http/envelope.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { revokeClaim } from '#modules/claims';
import type { Resources } from '../../resources.ts';

export function postTagsClaimsRevoke(app: ZodApp, resources: Resources): void {
  app.post(
    '/tags/:tag/claims/:claimId/revoke',
    {
      schema: {
        tags: ['Extension'],
        summary: 'End an approved claim, from either side',
        security: applicationOnly,
        params: claimParams,
        response: { 200: envelopeOf(claimShape), ...failuresFor(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const result = await revokeClaim(resources, applicationOf(request), {
        address: request.params.tag,
        claimId: request.params.claimId,
      });
      return enveloped(resources.clock, 'claim revoked', toClaim(result));
    },
  );
}

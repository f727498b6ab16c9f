import { applicationOf } from '#http/auth/application.ts';
import { claimShape, consentParams, toClaim } from '#http/claim-shapes.ts';
import { enveloped, envelopeOf } from '#http/envelope.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { rejectClaim } from '#modules/claims';
import type { Resources } from '../../resources.ts';

export function postConsentReject(app: ZodApp, resources: Resources): void {
  app.post(
    '/consent/:consentToken/reject',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Reject a consent request',
        security: applicationOnly,
        params: consentParams,
        response: { 200: envelopeOf(claimShape), ...failuresFor(401, 403, 404, 409, 410) },
      },
    },
    async (request) => {
      const result = await rejectClaim(resources, applicationOf(request), request.params.consentToken);
      return enveloped(resources.clock, 'consent rejected', toClaim(result));
    },
  );
}

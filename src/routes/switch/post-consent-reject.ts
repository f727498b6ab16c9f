import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rejectClaim } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { claimShape, consentParams, toClaim } from '#wire/tag.ts';

export function postConsentReject(app: ZodApp, deps: DepsOf<typeof rejectClaim> & { clock: Clock }): void {
  app.post(
    '/consent/:consentToken/reject',
    {
      schema: {
        tags: ['Consent', 'Extension'],
        operationId: 'rejectConsent',
        summary: 'Reject a consent request',
        security: applicationOnly,
        params: consentParams,
        response: {
          200: envelopeOf(claimShape),
          ...failuresFor('NOT_PERMITTED', 'CONSENT_NOT_FOUND', 'CONSENT_NOT_PENDING', 'CONSENT_EXPIRED'),
        },
      },
    },
    async (request) => {
      const result = await rejectClaim(deps, applicationOf(request), request.params.consentToken);
      return enveloped(deps.clock, 'consent rejected', toClaim(result));
    },
  );
}

import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { approveClaim } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { consentParams } from '#wire/tag.ts';
import { attestationShape } from './shapes.ts';

export function postConsentApprove(app: ZodApp, deps: DepsOf<typeof approveClaim> & { clock: Clock }): void {
  app.post(
    '/consent/:consentToken/approve',
    {
      schema: {
        tags: ['Consent'],
        operationId: 'approveConsent',
        summary: 'Approve a consent request: answers the attestation for the application that asked',
        security: applicationOnly,
        params: consentParams,
        response: {
          200: envelopeOf(attestationShape),
          ...failuresFor(
            'OWNER_CONSENT_REQUIRED',
            'CONSENT_NOT_FOUND',
            'CONSENT_NOT_PENDING',
            'TAG_SUSPENDED',
            'CONSENT_EXPIRED',
          ),
        },
      },
    },
    async (request) => {
      const result = await approveClaim(deps, applicationOf(request), request.params.consentToken);
      return enveloped(deps.clock, 'consent approved', result);
    },
  );
}

import { applicationOf } from '#http/auth/application.ts';
import { attestationShape, consentParams } from '#http/claim-shapes.ts';
import { enveloped, envelopeOf } from '#http/envelope.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { approveClaim } from '#modules/claims';
import type { Resources } from '../../resources.ts';

export function postConsentApprove(app: ZodApp, resources: Resources): void {
  app.post(
    '/consent/:consentToken/approve',
    {
      schema: {
        tags: ['Consent'],
        summary: 'Approve a consent request: answers the attestation for the application that asked',
        security: applicationOnly,
        params: consentParams,
        response: { 200: envelopeOf(attestationShape), ...failuresFor(401, 403, 404, 409, 410) },
      },
    },
    async (request) => {
      const result = await approveClaim(resources, applicationOf(request), request.params.consentToken);
      return enveloped(resources.clock, 'consent approved', result);
    },
  );
}

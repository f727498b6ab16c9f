import { applicationOf } from '#http/auth/application.ts';
import { attestationShape, claimParams } from '#http/claim-shapes.ts';
import { enveloped, envelopeOf } from '#http/envelope.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { issueAttestation } from '#modules/claims';
import type { Resources } from '../../resources.ts';

export function getTagsClaimsAttestation(app: ZodApp, resources: Resources): void {
  app.get(
    '/tags/:tag/claims/:claimId/attestation',
    {
      schema: {
        tags: ['Extension'],
        summary: 'A fresh attestation of an approved claim of yours',
        security: applicationOnly,
        params: claimParams,
        response: { 200: envelopeOf(attestationShape), ...failuresFor(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const result = await issueAttestation(resources, applicationOf(request), {
        address: request.params.tag,
        claimId: request.params.claimId,
      });
      return enveloped(resources.clock, 'consent attested', result);
    },
  );
}

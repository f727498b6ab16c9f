import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { issueAttestation } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { attestationShape, claimParams } from './shapes.ts';

export function getTagsClaimsAttestation(app: ZodApp, deps: DepsOf<typeof issueAttestation> & { clock: Clock }): void {
  app.get(
    '/tags/:tag/claims/:claimId/attestation',
    {
      schema: {
        tags: ['Claims', 'Extension'],
        operationId: 'getAttestation',
        summary: 'A fresh attestation of an approved claim of yours',
        security: applicationOnly,
        params: claimParams,
        response: {
          200: envelopeOf(attestationShape),
          ...failuresFor('NOT_PERMITTED', 'CLAIM_NOT_FOUND', 'CLAIM_NOT_APPROVED', 'TAG_SUSPENDED'),
        },
      },
    },
    async (request) => {
      const result = await issueAttestation(deps, applicationOf(request), {
        address: request.params.tag,
        claimId: request.params.claimId,
      });
      return enveloped(deps.clock, 'consent attested', result);
    },
  );
}

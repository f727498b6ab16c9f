import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { requestClaim } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { claimShape, subjectChoice, tagParams, toClaim } from '#wire/tag.ts';
import { returnUrl } from './shapes.ts';

export function postTagsClaims(app: ZodApp, deps: DepsOf<typeof requestClaim> & { clock: Clock }): void {
  app.post(
    '/tags/:tag/claims',
    {
      schema: {
        tags: ['Claims', 'Extension'],
        operationId: 'createClaim',
        summary: 'Ask the owner of a tag that a subject of yours may be reached under it',
        security: applicationOnly,
        params: tagParams,
        body: z.object({ ...subjectChoice, returnUrl }).meta({ example: { externalId: 'customer-7' } }),
        response: {
          201: envelopeOf(claimShape),
          ...failuresFor(
            'RETURN_URL_NOT_REGISTERED',
            'SUBJECT_NOT_FOUND',
            'TAG_NOT_FOUND',
            'CLAIM_EXISTS',
            'TAG_SUSPENDED',
          ),
        },
      },
    },
    async (request, reply) => {
      const asked = { address: request.params.tag, ...request.body };
      const claim = await requestClaim(deps, applicationOf(request), asked);
      return reply.code(201).send(enveloped(deps.clock, 'consent requested', toClaim(claim)));
    },
  );
}

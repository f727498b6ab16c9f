import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { CLAIMS_MAX, listClaims } from '#modules/claims';
import { claimShape, toClaim } from '#wire/claim.ts';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { tagParams } from '#wire/tag.ts';

const SHOWN = CLAIMS_MAX.toLocaleString('en');

export function getTagsClaims(app: ZodApp, deps: DepsOf<typeof listClaims> & { clock: Clock }): void {
  app.get(
    '/tags/:tag/claims',
    {
      schema: {
        tags: ['Claims'],
        operationId: 'listClaims',
        summary: 'The claims on a tag: all of them for its owner’s application, your own for any other',
        description: `Newest first. Of more than ${SHOWN} the newest, and message says so.`,
        security: applicationOnly,
        params: tagParams,
        response: { 200: envelopeOf(z.array(claimShape)), ...failuresFor('TAG_NOT_FOUND') },
      },
    },
    async (request) => {
      const { claims, isAll } = await listClaims(deps, applicationOf(request), request.params.tag);
      const message = isAll ? 'claims of the tag' : `the newest ${SHOWN} claims of the tag: there are more`;
      return enveloped(deps.clock, message, claims.map(toClaim));
    },
  );
}

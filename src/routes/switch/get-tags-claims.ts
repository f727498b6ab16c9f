import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { CLAIMS_MAX, listClaims } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { cursorOf, nextLink, uuidKey, whole } from '#wire/paging.ts';
import { claimShape, tagParams, toClaim } from '#wire/tag.ts';
import { optional } from '#wire/text.ts';

const { shape, write } = cursorOf('tag-claims', uuidKey, 'cursor in the header Link');

const query = z.object({
  cursor: optional(
    shape.meta({ type: 'string', description: 'From the header Link of the previous page: continues after it' }),
  ),
  limit: whole(CLAIMS_MAX, CLAIMS_MAX, 1).meta({
    type: 'integer',
    minimum: 1,
    description: `Without it, and at most, ${CLAIMS_MAX}`,
  }),
});

export function getTagsClaims(app: ZodApp, deps: DepsOf<typeof listClaims> & { clock: Clock }): void {
  app.get(
    '/tags/:tag/claims',
    {
      schema: {
        tags: ['Claims'],
        operationId: 'listClaims',
        summary: 'The claims on a tag: all of them for its owner’s application, your own for any other',
        description: `Newest first, ${CLAIMS_MAX.toLocaleString('en')} at most. Where more follow, message says so and the header \`Link\` leads on: \`<?cursor=…>; rel="next"\` (RFC 8288), relative to this address. The last page has none.`,
        security: applicationOnly,
        params: tagParams,
        querystring: query,
        response: { 200: envelopeOf(z.array(claimShape)), ...failuresFor('TAG_NOT_FOUND', 'INVALID_PARAMETER') },
      },
    },
    async (request, reply) => {
      const { claims, next } = await listClaims(deps, applicationOf(request), request.params.tag, request.query);
      if (next !== undefined) void reply.header('link', nextLink(request.url, write(next)));
      const message = next === undefined ? 'claims of the tag' : 'claims of the tag, newest first: there are more';
      return enveloped(deps.clock, message, claims.map(toClaim));
    },
  );
}

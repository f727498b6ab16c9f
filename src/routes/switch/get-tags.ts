import { hash } from 'node:crypto';
import { z } from 'zod';
import { applicationIfAny } from '#http/auth/application.ts';
import { anybodyOrApplication, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { resolveTag } from '#modules/consent';
import { enveloped, envelopedText, envelopeOf } from '#wire/envelope.ts';
import { tagParams, tagShape, toPublicTag, toTag } from '#wire/tag.ts';

export function getTags(
  app: ZodApp,
  deps: Parameters<typeof applicationIfAny>[2] & DepsOf<typeof resolveTag> & { clock: Clock },
): void {
  app.get(
    '/tags/:tag',
    {
      schema: {
        tags: ['Tags'],
        operationId: 'resolveTag',
        summary: 'Resolve a tag to its public profile and ownership; its owner’s application sees all of it',
        description:
          'A token that is expired, not ours or of a suspended application gets what anybody gets, and `WWW-Authenticate: Bearer error="invalid_token"`.',
        security: anybodyOrApplication,
        params: tagParams,
        response: {
          200: envelopeOf(tagShape),
          304: z.undefined().describe('Unchanged since the entity tag in If-None-Match'),
          ...failuresFor('TAG_NOT_FOUND', 'TOO_MANY_REQUESTS'),
        },
      },
    },
    async (request, reply) => {
      const from = addressBlock(request.ip);
      deps.resolveLimit.take(from); // before the token is verified, which costs more
      reply.header('vary', 'Authorization');
      const caller = await applicationIfAny(request, reply, deps);
      const found = await resolveTag(deps, { address: request.params.tag, caller, from });
      if (found.own !== undefined) {
        reply.header('cache-control', 'no-store');
        return reply.code(200).send(enveloped(deps.clock, 'tag resolved', toTag(found.own)));
      }
      const tag = JSON.stringify(toPublicTag(found.shown));
      const current = entityTag(tag);
      reply.header('etag', current).header('cache-control', 'no-cache');
      if (isUnchanged(request.headers['if-none-match'], current)) return reply.code(304).send();
      // As text: the shape's own serializer would cost more than all the rest.
      const answer: unknown = envelopedText(deps.clock, 'tag resolved', tag);
      return reply.type('application/json; charset=utf-8').send(answer as never);
    },
  );
}

/** A weak entity tag of an answer's data: the envelope around it differs by its timestamp. */
const entityTag = (dataJson: string): string => `W/"${hash('sha256', dataJson, 'base64url')}"`;

/** True when an If-None-Match header names the entity tag (RFC 9110 13.1.2, weak comparison). */
function isUnchanged(ifNoneMatch: string | undefined, current: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map(opaque);
  return known.includes('*') || known.includes(opaque(current));
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

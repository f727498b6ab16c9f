import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createApplicationTag } from '#modules/tags';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { subjectChoice, tagShape, toTag } from '#wire/tag.ts';
import { text } from '#wire/text.ts';

const body = z
  .object({ tagString: text(100), ...subjectChoice })
  .meta({ example: { tagString: 'stall-7', externalId: 'customer-7' } });

export function postTags(app: ZodApp, deps: DepsOf<typeof createApplicationTag> & { clock: Clock }): void {
  app.post(
    '/tags',
    {
      schema: {
        tags: ['Application identity'],
        operationId: 'createTag',
        summary: 'Create a tag, owned by a subject of yours',
        security: applicationOnly,
        body,
        response: {
          201: envelopeOf(tagShape),
          ...failuresFor(
            'INVALID_TAG',
            'TAG_RESERVED',
            'TAG_QUOTA_EXCEEDED',
            'SUBJECT_NOT_FOUND',
            'TAG_ALREADY_EXISTS',
          ),
        },
      },
    },
    async (request, reply) => {
      const tag = await createApplicationTag(deps, applicationOf(request), request.body);
      return reply.code(201).send(enveloped(deps.clock, 'tag created', toTag({ ...tag, activeClaims: [] })));
    },
  );
}

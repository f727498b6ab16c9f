import { z } from 'zod';
import { resolveTag } from '#modules/tags';
import { enveloped, envelopeOf } from '../../http/envelope.ts';
import { failuresFor } from '../../http/openapi-meta.ts';
import { tagShape, toTag } from '../../http/tag-shapes.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { entityTag, isUnchanged } from './entity-tag.ts';

export function getTags(app: ZodApp, resources: Resources): void {
  app.get(
    '/tags/:tag',
    {
      schema: {
        tags: ['Tags'],
        summary: 'Resolve a tag to its public profile and ownership',
        params: z.object({ tag: z.string().meta({ example: 'ada' }) }),
        response: {
          200: envelopeOf(tagShape),
          304: z.undefined().describe('Unchanged since the entity tag in If-None-Match'),
          ...failuresFor(404),
        },
      },
    },
    async (request, reply) => {
      const tag = toTag(await resolveTag(resources, request.params.tag));
      const current = entityTag(tag);
      reply.header('etag', current).header('cache-control', 'no-cache').header('vary', 'Authorization');
      if (isUnchanged(request.headers['if-none-match'], current)) return reply.code(304).send();
      return reply.code(200).send(enveloped(resources.clock, 'tag resolved', tag));
    },
  );
}

import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getTagForOperator } from '#modules/tags';
import { tagParams } from '#wire/tag.ts';
import { tagShape, toTag } from './shapes/tag.ts';

export function getTags(app: ZodApp, deps: DepsOf<typeof getTagForOperator>): void {
  app.get(
    '/tags/:tag',
    {
      schema: {
        operationId: 'getTag',
        summary: 'A tag, also a closed one, and from when on its handle can be had',
        params: tagParams,

        response: { 200: tagShape, ...failuresFor('TAG_NOT_FOUND') },
      },
    },
    async (request) => {
      return toTag(await getTagForOperator(deps, request.params.tag));
    },
  );
}

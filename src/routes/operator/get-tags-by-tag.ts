import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { readTag } from '#modules/enquiries';
import { tagParams } from '#wire/tag.ts';
import { tagInFullShape, toTagInFull } from './shapes/tag.ts';

export function getTagsByTag(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readTag>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/tags/:tag',
    {
      schema: {
        operationId: 'getTag',
        summary: 'A tag, also a closed one, with its claims and links, and from when on its handle can be had',
        params: tagParams,
        response: { 200: tagInFullShape, ...failuresFor('TAG_NOT_FOUND') },
      },
    },
    async ({ actor, params }) => toTagInFull(await readLong(actor, async (db) => readTag({ ...deps, db }, params.tag))),
  );
}

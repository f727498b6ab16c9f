import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listTags } from '#modules/tags';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { tagShape, tagStatus, toTag } from './shapes/tag.ts';

const pages = pagedBy('tags', uuidKey);

const querystring = pages.query.extend({
  createdByAppId: optional(z.uuid()).meta({ description: 'The application that made it' }),
  status: optional(tagStatus),
  readsAsNumber: optional(z.enum(['true'])).meta({
    description:
      'Only those that have no letter, or read as a phone or account number: nobody gets such a one any more',
  }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getTags(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/tags',
    {
      schema: {
        operationId: 'listTags',
        summary: 'Tags, PayTags among them, newest first; closed ones too while nobody else has their handle',
        querystring,
        response: { 200: listOf(tagShape) },
      },
    },
    async ({ actor, query }) => {
      const asked = { ...query, readsAsNumber: query.readsAsNumber === 'true' };
      return pages.page(await readLong(actor, async (db) => listTags({ db }, asked)), query, toTag);
    },
  );
}

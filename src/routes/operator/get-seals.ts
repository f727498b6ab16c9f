import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listSeals, type PublishedSeal } from '#modules/seals';
import { momentOut } from '#wire/moment.ts';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';

const pages = pagedBy('seals', numberKey);

const period = z.enum(['HOUR', 'DAY']);

const seal = z.object({
  number: z.int().meta({ description: 'Its place in the chain, from 1' }),
  period,
  startsAt: momentOut
    .optional()
    .meta({ description: 'Left out of the first, which covers all that is dated before its end' }),
  endsAt: momentOut,
  seal: z.string().meta({
    description:
      'A compact JWS (ES256, with its public key in the header) of the digests of the period and of the seal before it',
  }),
});

export function getSeals(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/seals',
    {
      schema: {
        operationId: 'listSeals',
        summary: 'Seals of the books, by hour and by day, newest first',
        querystring: pages.query.extend({ period: optional(period) }),
        response: { 200: listOf(seal) },
      },
    },
    async ({ actor, query }) => pages.page(await readLong(actor, async (db) => listSeals(db, query)), query, toSeal),
  );
}

const toSeal = ({ startsAt, ...item }: PublishedSeal): z.input<typeof seal> => ({
  ...item,
  startsAt: startsAt ?? undefined,
});

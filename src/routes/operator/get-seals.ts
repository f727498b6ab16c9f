import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { listSeals, type PublishedSeal } from '#modules/seals';
import { momentOut } from '#wire/moment.ts';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';

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

export function getSeals(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/seals',
    {
      schema: {
        summary: 'Seals of the books, by hour and by day, newest first',
        querystring: paging.extend({ period: optional(period) }),
        response: { 200: listOf(seal), ...failuresFor(400, 401) },
      },
    },
    async ({ query }) => pageOf(await listSeals(db, query), query, toSeal),
  );
}

const toSeal = ({ startsAt, ...item }: PublishedSeal): z.input<typeof seal> => ({
  ...item,
  startsAt: startsAt ?? undefined,
});

import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listPayouts } from '#modules/payouts';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, reference } from '#wire/text.ts';
import { payoutShape, payoutState, toPayout } from './shapes/payout.ts';

const pages = pagedBy('payouts', uuidKey);

const query = pages.query.extend({
  partnerId: optional(z.uuid()),
  wallet: optional(reference).meta({ description: 'Reference of the wallet that pays' }),
  state: optional(payoutState),
  contradicted: optional(z.enum(['true'])).meta({
    description: 'Only those of which the provider said what cannot be true beside what it said before',
  }),
  from: optional(momentIn).meta({ description: 'Ordered at this time or later' }),
  to: optional(momentIn).meta({ description: 'Ordered at this time or before' }),
});

export function getPayouts(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listPayouts>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/payouts',
    {
      schema: {
        operationId: 'listPayouts',
        summary: 'Payouts to bank accounts, newest first',
        querystring: query,
        response: { 200: listOf(payoutShape) },
      },
    },
    async ({ actor, query: asked }) => {
      const filter = { ...asked, contradicted: asked.contradicted === 'true' };
      return pages.page(await readLong(actor, async (db) => listPayouts({ ...deps, db }, filter)), asked, toPayout);
    },
  );
}

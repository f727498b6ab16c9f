import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listSuspense } from '#modules/treasury';
import { momentIn } from '#wire/moment.ts';
import { amountInQuery, currencyCode } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { pendingReason, transactionType } from '#wire/transaction.ts';
import { listOrFile } from './list-or-file.ts';
import { toWaiting, waitingShape } from './shapes/suspense.ts';

const list = listOrFile('suspense', pagedBy('suspense', numberKey), waitingShape);

const query = list.query.extend({
  partnerId: optional(z.uuid()),
  reason: optional(pendingReason),
  type: optional(transactionType),
  currency: optional(currencyCode),
  amountFrom: optional(amountInQuery).meta({ description: 'What waits is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'What waits is this or less' }),
  from: optional(momentIn).meta({ description: 'Since then or later' }),
  to: optional(momentIn).meta({ description: 'Since before' }),
});

export function getSuspense(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listSuspense>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/suspense',
    {
      schema: {
        operationId: 'listSuspense',
        summary: 'Money that waits because it cannot be credited, the oldest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listSuspense({ ...deps, db }, { ...asked, ...page })),
        toItem: toWaiting,
      });
    },
  );
}

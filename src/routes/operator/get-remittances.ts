import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listRemittances, type Remitted, remittable } from '#modules/treasury';
import { momentIn, momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';

const item = z.object({
  account: z.enum(remittable),
  amount: amountOut,
  currency: currencyCode,
  reference: z.string(),
  reason: personal(z.string(), 'prose').optional(),
  createdAt: momentOut,
});

const list = listOrFile('remittances', pagedBy('remittances', numberKey), item);

const query = list.query.extend({
  currency: optional(currencyCode),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getRemittances(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/remittances',
    {
      schema: {
        operationId: 'listRemittances',
        summary: 'What was settled of our own accounts with the bank, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listRemittances(db, { ...asked, ...page })),
        toItem,
      });
    },
  );
}

const toItem = (one: Remitted): z.input<typeof item> => ({
  ...one,
  amount: toMajor(one.amount),
  createdAt: one.createdAt.toISOString(),
});

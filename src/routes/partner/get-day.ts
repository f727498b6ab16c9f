import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { type PartnerDay, partnerDay } from '#modules/ledger';
import { dayParam, partnerDayAccount } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { toCsv } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { transactionType } from '#wire/transaction.ts';

const line = z.object({
  Account: partnerDayAccount,
  Currency: currencyCode,
  Type: transactionType
    .optional()
    .meta({ description: 'What transactions of this type moved; left out of all together' }),
  OpeningBalance: amountOut.optional(),
  In: amountOut,
  Out: amountOut,
  Movements: z.int().meta({ example: 3 }),
  ClosingBalance: amountOut.optional(),
});

const day = z
  .object({
    Date: z.iso.date().meta({ example: '2026-01-31' }),
    Closed: z.boolean().meta({ description: 'False: the day is not over, and more may come' }),
    Ties: z.boolean().meta({ description: 'Opening and what moved come to closing' }),
    items: z.array(line),
  })
  .meta({ id: 'Day' });

const format = optional(z.enum(['json', 'csv'])).meta({ description: 'csv: a file with a row for each item' });

export function getDay(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/day/:date',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'getDay',
        summary:
          'A day in Africa/Lagos: what the float and all wallets together opened with, what moved, and what was left',
        security: partnerOnly,
        params: z.object({ date: dayParam }),
        querystring: z.object({ format }),
        response: {
          200: {
            description: 'The day',
            content: {
              'application/json': { schema: day },
              'text/csv': { schema: z.string().meta({ example: 'Account,Currency,Type\r\n' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { id: partnerId } = partnerOf(request);
      const { date } = request.params;
      const found = await readLong(`partner:${partnerId}`, async (db) => partnerDay(db, { clock, partnerId, date }));
      void reply.header('cache-control', 'no-store');
      const answer = toDay(found);
      if (request.query.format === 'csv') {
        void reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="day-${date}.csv"`)
          .serializer(({ items }: typeof answer) => toCsv(line, items));
      }
      return answer;
    },
  );
}

const toDay = ({ date, closed, differences, lines }: PartnerDay): z.input<typeof day> => ({
  Date: date,
  Closed: closed,
  Ties: differences.length === 0,
  items: lines.map((one) => ({
    Account: one.account,
    Currency: one.currency,
    Type: one.type,
    OpeningBalance: toMajorIfAny(one.opening),
    In: toMajor(one.in),
    Out: toMajor(one.out),
    Movements: one.movements,
    ClosingBalance: toMajorIfAny(one.closing),
  })),
});

import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { type PartnerDay, partnerDay } from '#modules/books';
import { dayParam, partnerDayAccount } from '#wire/day.ts';
import { amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { transactionType } from '#wire/transaction.ts';
import { asFile, fileQuery, withFile } from './list-or-file.ts';
import { idParams } from './shapes/params.ts';

const line = z.object({
  account: partnerDayAccount,
  currency: currencyCode,
  type: transactionType
    .optional()
    .meta({ description: 'What moved by transactions of this type; left out of all together' }),
  opening: amountOut.optional(),
  in: amountOut,
  out: amountOut,
  movements: z.int(),
  closing: amountOut.optional(),
});

const shape = z.object({
  partnerId: z.uuid(),
  date: z.iso.date().meta({ example: '2026-01-31' }),
  closed: z.boolean().meta({ description: 'False: the day is not over, and more may come' }),
  ties: z
    .boolean()
    .meta({ description: 'Opening and what moved come to closing, which is counted back from what stands there now' }),
  differences: z
    .array(z.object({ account: partnerDayAccount, currency: currencyCode, difference: z.number() }))
    .meta({ description: 'Where it does not tie, and by how much' }),
  items: z.array(line),
});

export function getPartnersDay(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/partners/:id/day/:date',
    {
      schema: {
        operationId: 'getPartnerDay',
        summary:
          'A partner’s day in Africa/Lagos: what its float and its wallets opened with, what moved and what was left',
        params: idParams.extend({ date: dayParam }),
        querystring: fileQuery,
        response: { 200: withFile(shape), ...failuresFor('PARTNER_NOT_FOUND') },
      },
    },
    async ({ actor, params: { id: partnerId, date }, query }, reply) => {
      const answer = toShape(await readLong(actor, async (db) => partnerDay(db, { clock, partnerId, date })));
      return query.format === 'csv' ? asFile(reply, `partner-day-${date}`, line, answer) : answer;
    },
  );
}

const toShape = ({ lines, differences, ...day }: PartnerDay): z.input<typeof shape> => ({
  ...day,
  ties: differences.length === 0,
  differences: differences.map((one) => ({ ...one, difference: toMajor(one.difference) })),
  items: lines.map((one) => ({
    ...one,
    opening: toMajorIfAny(one.opening),
    in: toMajor(one.in),
    out: toMajor(one.out),
    closing: toMajorIfAny(one.closing),
  })),
});

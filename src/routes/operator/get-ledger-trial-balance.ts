import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { type TrialBalance, trialBalance } from '#modules/books';
import { dayParam } from '#wire/day.ts';
import { currencyCode, toMajor } from '#wire/money.ts';
import { asFile, fileQuery, withFile } from './list-or-file.ts';

const balance = z.number().meta({ description: 'Above zero what we owe, below it what we are owed', example: -1500.5 });
const moved = z.number().meta({ description: 'Unsigned', example: 1500.5 });
const sums = { opening: balance, debits: moved, credits: moved, closing: balance };

const line = z.object({
  account: z.string().meta({ description: 'A kind of account, or one of our own', example: 'WALLET' }),
  currency: currencyCode,
  ...sums,
});

const shape = z.object({
  date: z.iso.date().meta({ example: '2026-01-31' }),
  closed: z.boolean().meta({ description: 'False: the day is not over, and more may come' }),
  items: z.array(line),
  totals: z
    .array(z.object({ currency: currencyCode, ...sums }))
    .meta({ description: 'Opening and closing are zero, and debits are credits' }),
});

export function getLedgerTrialBalance(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/ledger/trial-balance/:date',
    {
      schema: {
        operationId: 'getTrialBalance',
        summary: 'The trial balance of a day in Africa/Lagos, by kind of account and currency',
        params: z.object({ date: dayParam }),
        querystring: fileQuery,
        response: { 200: withFile(shape) },
      },
    },
    async ({ actor, params: { date }, query }, reply) => {
      const answer = toShape(await readLong(actor, async (db) => trialBalance(db, { clock, date })));
      return query.format === 'csv' ? asFile(reply, `trial-balance-${date}`, line, answer) : answer;
    },
  );
}

const toShape = ({ lines, totals, ...day }: TrialBalance): z.input<typeof shape> => ({
  ...day,
  items: lines.map((one) => ({ ...one, ...inMajor(one) })),
  totals: totals.map((one) => ({ ...one, ...inMajor(one) })),
});

const inMajor = ({
  opening,
  debits,
  credits,
  closing,
}: TrialBalance['lines'][number] | TrialBalance['totals'][number]) => ({
  opening: toMajor(opening),
  debits: toMajor(debits),
  credits: toMajor(credits),
  closing: toMajor(closing),
});

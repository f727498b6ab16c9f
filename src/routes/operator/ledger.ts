import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { ownAccounts, type TrialBalance, trialBalance } from '#modules/ledger';
import type { Checker, LastReport } from '#modules/proof';
import { listSeals, type PublishedSeal } from '#modules/proof';
import { dayParam, momentIn, momentOut } from '#wire/moment.ts';
import { currencyCode, toMajor } from '#wire/money.ts';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional } from '#wire/text.ts';
import { asFile, fileQuery, withFile } from './list-or-file.ts';

const account = z.object({
  account: z.string().meta({ example: 'FEE' }),
  currency: currencyCode,
  balance: z
    .number()
    .meta({ description: 'Below zero in a clearing account: what has come in there and not gone out' }),
});
const accounts = z.object({ items: z.array(account) });

export function getAccounts(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/accounts',
    {
      schema: {
        operationId: 'listAccounts',
        summary: 'Our own accounts: clearing of the bank and of each rail, charges, and suspense',
        querystring: fileQuery,
        response: { 200: withFile(accounts) },
      },
    },
    async ({ query }, reply) => {
      const found = await ownAccounts(db);
      const answer = { items: found.map(({ balance, ...one }) => ({ ...one, balance: toMajor(balance) })) };
      return query.format === 'csv' ? asFile(reply, 'accounts', account, answer) : answer;
    },
  );
}

const check = z.object({
  name: z.string(),
  promise: z.string().meta({ description: 'What must be true, in one sentence' }),
  violations: z.int(),
  offenders: z
    .array(personal(z.record(z.string(), z.unknown()), 'record'))
    .optional()
    .meta({ description: 'The first rows that offend, where there are any' }),
  timedOut: z
    .literal(true)
    .optional()
    .meta({ description: 'It took longer than it may: whether it holds is not known' }),
  remembered: z
    .object({
      months: z.int(),
      since: momentOut.meta({ description: 'When the first of them was looked at' }),
    })
    .optional()
    .meta({
      description:
        'Months that are over and were not looked at again, for want of time, since an earlier check had found them right',
    }),
  error: z.string().optional().meta({ description: 'Why it could not be checked: whether it holds is not known' }),
});

const checkAnswer = z.object({
  ok: z.boolean().meta({ description: 'True when every invariant was checked and none is broken' }),
  checkedAt: momentOut.optional().meta({
    description: 'With `last`: when the last whole check ended; left out where none has',
  }),
  checks: z.array(check),
});

const checkQuery = z.object({
  since: optional(momentIn).meta({ description: 'Checks what is new since then; left out: everything' }),
  last: optional(z.enum(['true'])).meta({
    description:
      'What the last whole check and those since it have found, what is broken first: nothing is checked. Before any has ended it is not `ok`',
  }),
});

export function getLedgerCheck(app: ZodApp, { checker }: { checker: Checker }): void {
  app.get(
    '/ledger/check',
    {
      schema: {
        operationId: 'checkLedger',
        summary: 'Prove every invariant of the books and of what hangs on them, now',
        description:
          'One check runs at a time. Who asks for the same while it runs gets the same answer; any other check is refused with CHECK_RUNNING.',
        querystring: checkQuery,
        response: {
          200: checkAnswer,
          ...failuresFor('CHECK_RUNNING'),
        },
      },
    },
    async (request) => {
      const { since, last } = request.query;
      const report: LastReport = await (last === 'true' ? checker.last() : checker.check(since));
      return {
        ok: report.ok,
        checkedAt: report.checkedAt?.toISOString(),
        checks: report.checks.map(({ name, promise, violations, rows, timedOut, remembered, error }) => ({
          name,
          promise,
          violations,
          offenders: rows.length === 0 ? undefined : [...rows],
          timedOut,
          remembered: remembered && { months: remembered.slices, since: remembered.since },
          error,
        })),
      };
    },
  );
}

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

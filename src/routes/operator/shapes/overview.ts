import { z } from 'zod';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { transactionType } from '#wire/transaction.ts';
import { providerPurposes } from '../../../providers/seen/port.ts';
import { type Overview } from '../enquiries/overview.ts';
import { justBefore, type Sign, signNames, signStates, soonFrom } from '../enquiries/sign.ts';

/** Of each sign what it says, and the list of what it counts, under this API; none where the overview itself lists them. */
const signs: Readonly<Record<Sign['name'], readonly [says: string, where?: string | ((at: Date) => string)]>> = {
  APPROVALS_WAITING: ['Requests that wait for another operator', '/approvals?status=PENDING'],
  PAYOUTS_UNKNOWN: ['Payouts of which nobody knows whether the money left', '/payouts?state=UNKNOWN'],
  PAYOUTS_CONTRADICTED: ['Payouts of which the provider contradicts itself', '/payouts?contradicted=true'],
  IN_SUSPENSE: ['Money that reached nobody', '/suspense'],
  MESSAGES_DIFFER: ['Messages of providers that differ from our books', '/inbox?state=DIFFERENT'],
  AT_THE_BANK_ALONE: ['Lines of the bank that are not in our books', '/reconciliation/items?status=THEIRS_ALONE'],
  IN_OUR_BOOKS_ALONE: ['Postings that are not at the bank', '/reconciliation/items?status=OURS_ALONE'],
  DISPUTES_OPEN: ['Disputes that wait for the partner’s answer', '/disputes?state=OPEN'],
  DISPUTES_DUE: [
    'Disputes to be answered within a day',
    (at) => `/disputes?state=OPEN&dueBefore=${soonFrom(at).toISOString()}`,
  ],
  APPLICATIONS_WAITING: ['Applications that wait for approval', '/applications?status=PENDING'],
  FLOATS_LOW: ['Floats that hold less than leaves them on an average day'],
  DELIVERIES_WAITING: ['Deliveries that are to be sent, now or again later', '/deliveries?waiting=DUE'],
  DELIVERIES_HELD: ['Deliveries that wait for their receiver', '/deliveries?waiting=HELD'],
  DELIVERIES_FAILED: [
    'Deliveries made in the last day whose last attempt failed',
    (at) => `/deliveries?status=FAILED&from=${justBefore(at).toISOString()}`,
  ],
  RECEIVERS_FAILING: ['Receivers that fail at the moment', '/receivers?failing=true'],
  RECEIVERS_PAUSED: ['Receivers that are paused', '/receivers?status=PAUSED'],
  BOOKS_SEALED: ['How far the books are sealed', '/seals'],
  BOOKS_CHECKED: [
    'When everything was last checked and found right; and how many invariants are broken',
    '/ledger/check?last=true',
  ],
  LOGINS_THROTTLED: ['Logins that are slowed for too many guesses', '/throttles?name=logins'],
  PROVIDERS_DOWN: ['Providers that did not answer when they were last asked'],
};

const moved = { currency: currencyCode, amount: amountOut, transactions: z.int() };

/** Whether anything is wrong now. */
export const overviewShape = z.object({
  at: momentOut,
  state: z.enum(signStates).meta({ description: 'The worst of all signs: WRONG, WAITS, or GOOD' }),
  signs: z.array(
    z.object({
      name: z.enum(signNames),
      state: z.enum(signStates).meta({
        description:
          'GOOD: nothing to do. WAITS: for somebody, by and by. WRONG: for somebody now. UNKNOWN: it cannot be told yet',
      }),
      count: z.int().optional().meta({ description: 'How many there are, counted up to ten thousand' }),
      countIsExact: z.literal(false).optional().meta({ description: 'Where there are more than count' }),
      amount: amountOut.optional().meta({ description: 'What they amount to, in naira' }),
      since: momentOut.optional().meta({
        description:
          'Since when the first of them waits or is due, which is never to come; of seals and checks, when the last was',
      }),
      says: z.string(),
      where: z.string().optional().meta({
        description:
          'The list of what it counts, under this API; left out of FLOATS_LOW and PROVIDERS_DOWN, which `floats` and `providers` list',
        example: '/suspense',
      }),
    }),
  ),
  floats: z
    .array(
      z.object({
        partnerId: z.uuid(),
        balance: amountOut,
        averageDay: amountOut.meta({
          description: 'What left it on a day, on average of the last seven that are over',
        }),
      }),
    )
    .meta({ description: 'Floats in naira that are low, the lowest first, a hundred at most' }),
  providers: z
    .array(
      z.object({
        purpose: z.enum(providerPurposes),
        provider: z.string().meta({ example: 'paystack' }),
        state: z.enum(['UP', 'DOWN', 'UNKNOWN']).meta({ description: 'UNKNOWN: this process has not asked it yet' }),
        since: momentOut.optional(),
      }),
    )
    .meta({
      description: 'Those that are asked over HTTP, as this process has seen them when it last asked them something',
    }),
  moneyDate: z.iso.date().meta({ description: 'The day in Africa/Lagos', example: '2026-01-31' }),
  moneyByType: z
    .array(z.object({ type: transactionType, ...moved }))
    .meta({ description: 'What has moved since that day began: each posting by what it takes out of accounts' }),
  moneyByHour: z.array(z.object({ startsAt: momentOut, ...moved })),
});

const order = ['WRONG', 'WAITS', 'GOOD'] as const;

const whereOf = (name: Sign['name'], now: Date): string | undefined => {
  const [, where] = signs[name];
  return typeof where === 'function' ? where(now) : where;
};

/** An overview, in words and major units. */
export const toOverview = ({
  at,
  signs: given,
  floats,
  providers,
  money,
}: Overview): z.input<typeof overviewShape> => ({
  at: at.toISOString(),
  state: order.find((state) => given.some((one) => one.state === state)) ?? 'GOOD',
  signs: given.map(({ name, state, count, countIsExact, amount, since }) => ({
    name,
    state,
    count,
    countIsExact: countIsExact === false ? false : undefined,
    amount: toMajorIfAny(amount),
    since: since?.toISOString(),
    says: signs[name][0],
    where: whereOf(name, at),
  })),
  floats: floats.map(({ partnerId, balance, aDay }) => ({
    partnerId,
    balance: toMajor(balance),
    averageDay: toMajor(aDay),
  })),
  providers: providers.map(({ purpose, provider, isUp, since }) => ({
    purpose,
    provider,
    state: isUp === undefined ? 'UNKNOWN' : isUp ? 'UP' : 'DOWN',
    since: since?.toISOString(),
  })),
  moneyDate: money.date,
  moneyByType: money.types.map(({ amount, ...one }) => ({ ...one, amount: toMajor(amount) })),
  moneyByHour: money.hours.map(({ startsAt, amount, ...one }) => ({
    startsAt: startsAt.toISOString(),
    ...one,
    amount: toMajor(amount),
  })),
});

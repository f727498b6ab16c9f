import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { waitingApplications } from '#modules/clients';
import { differingMessages } from '#modules/collections';
import { openDisputes } from '#modules/disputes';
import { installedAt, type ProcessFacts, readSettings } from '#modules/keys';
import {
  countPendingTransactions,
  lowFloats,
  type Minor,
  type MoneyOfDay,
  moneyOfDay,
  ownAccounts,
} from '#modules/ledger';
import type { Throttles } from '#modules/limits';
import { waitingApprovals } from '#modules/operators';
import { contradictedPayouts, unknownPayouts } from '#modules/payouts';
import { type IntegrityState, measureIntegrity, sealedUntil } from '#modules/proof';
import { itemsInStatus } from '#modules/reconciliation';
import {
  dueDeliveries,
  failedDeliveries,
  failingReceivers,
  heldDeliveries,
  oldestDue,
  pausedReceivers,
} from '#modules/webhooks';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { optionalReason, text } from '#wire/text.ts';
import { transactionType } from '#wire/transaction.ts';
import { providerPurposes, type SeenProvider } from '../../providers/seen/port.ts';
import { type Found, foundKinds, search } from './search.ts';

export const signNames = [
  'APPROVALS_WAITING',
  'PAYOUTS_UNKNOWN',
  'PAYOUTS_CONTRADICTED',
  'IN_SUSPENSE',
  'MESSAGES_DIFFER',
  'AT_THE_BANK_ALONE',
  'IN_OUR_BOOKS_ALONE',
  'DISPUTES_OPEN',
  'DISPUTES_DUE',
  'APPLICATIONS_WAITING',
  'FLOATS_LOW',
  'DELIVERIES_WAITING',
  'DELIVERIES_HELD',
  'DELIVERIES_FAILED',
  'RECEIVERS_FAILING',
  'RECEIVERS_PAUSED',
  'BOOKS_SEALED',
  'BOOKS_CHECKED',
  'LOGINS_THROTTLED',
  'PROVIDERS_DOWN',
] as const;

/** GOOD: nothing to do. WAITS: act soon. WRONG: act now. UNKNOWN: not known yet. */
export const signStates = ['GOOD', 'WAITS', 'WRONG', 'UNKNOWN'] as const;

/** One thing that may be wrong. */
export interface Sign {
  name: (typeof signNames)[number];
  state: (typeof signStates)[number];
  /** How many there are; undefined of what is not counted. */
  count?: number | undefined;
  /** False: there are more than `count`. */
  countIsExact?: boolean | undefined;
  /** What they amount to, minor units of naira. */
  amount?: Minor | undefined;
  /** Since when the first of them waits, or when it was last as it should be. */
  since?: Date | undefined;
}

/** A sign of what there should be none of. */
function signOf(
  name: Sign['name'],
  {
    bad,
    count,
    countIsExact,
    since,
  }: { bad: 'WAITS' | 'WRONG'; count: number; countIsExact: boolean; since?: Date | undefined },
): Sign {
  return { name, state: count === 0 ? 'GOOD' : bad, count, countIsExact, since };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What failed before then has been seen. */
const justBefore = (at: Date): Date => new Date(at.getTime() - DAY_MS);

/** A dispute that has to be answered by then is near its end. */
const soonFrom = (at: Date): Date => new Date(at.getTime() + DAY_MS);

/** Of each sign what it says, and the list of what it counts, under this API; none where the overview itself lists them. */
const signs: Readonly<Record<Sign['name'], readonly [says: string, where?: string | ((at: Date) => string)]>> = {
  APPROVALS_WAITING: ['Requests that wait for another operator', '/approvals?status=PENDING'],
  PAYOUTS_UNKNOWN: ['Payouts with an unknown outcome', '/payouts?state=UNKNOWN'],
  PAYOUTS_CONTRADICTED: ['Payouts of which the provider contradicts itself', '/payouts?contradicted=true'],
  IN_SUSPENSE: ['Money in suspense', '/suspense'],
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
const overviewShape = z.object({
  at: momentOut,
  state: z.enum(signStates).meta({ description: 'The worst of all signs: WRONG, WAITS, or GOOD' }),
  signs: z.array(
    z.object({
      name: z.enum(signNames),
      state: z.enum(signStates).meta({
        description: 'GOOD: nothing to do. WAITS: act soon. WRONG: act now. UNKNOWN: not known yet',
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
const toOverview = ({ at, signs: given, floats, providers, money }: Overview): z.input<typeof overviewShape> => ({
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

export function getOverview(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readOverview>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/overview',
    {
      schema: {
        operationId: 'getOverview',
        summary: 'Whether anything is wrong now, and the money of the day',
        response: { 200: overviewShape },
      },
    },
    async ({ actor }) => toOverview(await readLong(actor, (db) => readOverview({ ...deps, db }))),
  );
}

const body = z.object({
  q: text(100).meta({ description: 'What is looked for', example: 'order-1' }),
  reason: optionalReason,
});

const found = z.object({
  kind: z.enum(foundKinds),
  id: z.string().meta({ description: 'What it is read by: its id, reference, handle or serial number' }),
  title: z.string().meta({ description: 'What tells it from others; it says nothing of a person' }),
  where: z.string().meta({ description: 'What shows it, under this API', example: '/wallets/PW-1' }),
});

const paths: Readonly<Record<Found['kind'], string>> = {
  APPLICATION: '/applications',
  APPROVAL: '/approvals',
  BANK_FILE: '/reconciliation/imports',
  CUSTOMER: '/customers',
  DELIVERY: '/deliveries',
  DISPUTE: '/disputes',
  MESSAGE: '/inbox',
  PARTNER: '/partners',
  PAYOUT: '/payouts',
  REQUEST: '/requests',
  TAG: '/tags',
  TERMINAL: '/terminals',
  TRANSACTION: '/transactions',
  WALLET: '/wallets',
};

export function postSearch(app: ZodApp, deps: DepsOf<typeof search>): void {
  app.post(
    '/search',
    {
      schema: {
        operationId: 'searchRecords',
        summary:
          'Find whatever a text names: a reference, a tag, an account number, a phone, a BVN, a serial number, an id or the id of a request',
        description:
          'References of ours and of others, PayTags and tags, account numbers, serial numbers of terminals, ids of deliveries and of anything else, X-Request-Ids of what was changed or came with an Idempotency-Key, and the beginning of the name of a partner or an application. A POST, so that no phone and no BVN stands in a URL. A search by phone or BVN is audited, and counts against the searches for customers that an operator may make in an hour.',
        body,
        response: { 200: z.object({ items: z.array(found) }) },
      },
    },
    async ({ body: { q, reason }, actor }) => ({
      items: (await search(deps, { text: q, reason, actor })).map(toFound),
    }),
  );
}

const toFound = ({ kind, id, title, reference }: Found): z.input<typeof found> => ({
  kind,
  id,
  title,
  where:
    reference === undefined
      ? `${paths[kind]}/${encodeURIComponent(id)}`
      : `${paths[kind]}/${encodeURIComponent(reference)}?id=${id}`,
});

const sources = ['ENVIRONMENT', 'FILE', 'GENERATED', 'DEFAULT', 'UNSET'] as const;

/** A variable as this process has it. */
interface Setting {
  name: string;
  value: string | undefined;
  isSecret: boolean;
  source: (typeof sources)[number];
  unit: string | undefined;
  subject: string;
  purpose: string;
}

interface Deps {
  readLong: ReadLong;
  processFacts: ProcessFacts;
  settings: readonly Setting[];
  environment: string;
  role: string;
}

const settingShape = z.object({
  name: z.string().meta({ example: 'WEBHOOK_TIMEOUT_MS' }),
  value: z.string().optional().meta({
    description: 'As it would be given; of a secret nothing, of a URL neither who logs in nor its parameters',
    example: '10000',
  }),
  isSecret: z.boolean(),
  source: z.enum(sources).meta({
    description:
      'FILE: that which NAME_FILE names; GENERATED: made by the embedded sandbox; UNSET: there is none, and no default',
  }),
  unit: z.string().optional().meta({ example: 'milliseconds' }),
  subject: z.string().meta({ description: 'What it is about', example: 'Webhooks' }),
  purpose: z.string().meta({ description: 'What it is for' }),
});

const answer = z.object({
  process: z
    .object({
      host: z.string().meta({ example: 'paytag-api-1' }),
      pid: z.int(),
      version: z.string().meta({ example: '0.2.0' }),
      node: z.string().meta({ description: 'The version of Node.js', example: '26.10.0' }),
      environment: z.string().meta({ example: 'live' }),
      role: z.string().meta({ description: 'all, api or worker', example: 'api' }),
      startedAt: momentOut,
    })
    .meta({ description: 'Which process answered: each has settings of its own' }),
  schema: z.object({
    applied: z.int().meta({ description: 'Migrations that were applied to the database' }),
    latest: z.string().optional().meta({ description: 'The last of them', example: '0000_baseline' }),
    appliedBy: z.string().optional().meta({ description: 'The version that applied it', example: '0.2.0' }),
  }),
  settings: z.array(settingShape),
});

export function getSettings(app: ZodApp, { readLong, environment, role, ...deps }: Deps): void {
  app.get(
    '/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Every variable of the process that answers, with where its value came from; secrets are not shown',
        response: { 200: answer },
      },
    },
    async ({ actor }) => {
      const { process, schema, settings } = await readLong(actor, (db) => readSettings(deps, db));
      const { startedAt, ...facts } = process;
      return {
        process: { ...facts, environment, role, startedAt: startedAt.toISOString() },
        schema,
        settings: [...settings],
      };
    },
  );
}

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

/** A delivery that could be sent is sent within seconds: after this long, no worker sends. */
const DUE_MS = 5 * MINUTE_MS;

/** An hour is sealed when it is over. */
const SEALED_WITHIN_MS = 2 * HOUR_MS;

/** Everything is checked once a night. */
const CHECKED_WITHIN_MS = 26 * HOUR_MS;

const FLOATS_MAX = 100;

const THROTTLES_MAX = 1000;

/** Whether anything is wrong now. */
export interface Overview {
  at: Date;
  signs: Sign[];
  /** Those that are low, the lowest by its own measure first. Minor units of naira. */
  floats: { partnerId: string; balance: bigint; aDay: bigint }[];
  providers: (Omit<SeenProvider, 'health'> & { isUp: boolean | undefined; since: Date | undefined })[];
  money: MoneyOfDay;
}

interface OverviewDeps {
  db: Database;
  clock: Clock;
  throttles: Throttles;
  providerHealth: () => SeenProvider[];
}

/**
 * What needs an operator, what has stopped, what is broken, and the day’s money: each read by an index of what it counts
 * alone, and counted up to ten thousand. The state of providers is what this process has seen; no provider is called.
 */
export async function readOverview({ db, clock, throttles, providerHealth }: OverviewDeps): Promise<Overview> {
  const at = clock.now();
  const providers = providerHealth().map(({ health, ...one }) => ({
    ...one,
    isUp: health?.isUp,
    since: health && new Date(at.getTime() - health.forMs),
  }));
  const [ofMoney, ofDeliveries, ofBooks, floats, closed, money] = await Promise.all([
    moneySigns(db, at),
    deliverySigns(db, at),
    bookSigns(db, at),
    lowFloats(db, { clock, limit: FLOATS_MAX }),
    throttles.closed(THROTTLES_MAX),
    moneyOfDay(db, { clock }),
  ]);
  const logins = closed.filter(({ name }) => name === 'logins').length;
  const down = providers.filter(({ isUp }) => isUp === false);
  const asked = providers.some(({ isUp }) => isUp !== undefined);
  return {
    at,
    signs: [
      ...ofMoney,
      signOf('FLOATS_LOW', { count: floats.length, countIsExact: floats.length < FLOATS_MAX, bad: 'WRONG' }),
      ...ofDeliveries,
      ...ofBooks,
      signOf('LOGINS_THROTTLED', { count: logins, countIsExact: closed.length < THROTTLES_MAX, bad: 'WAITS' }),
      providers.length === 0 || asked
        ? signOf('PROVIDERS_DOWN', { count: down.length, countIsExact: true, bad: 'WRONG', since: oldestOf(down) })
        : { name: 'PROVIDERS_DOWN', state: 'UNKNOWN' },
    ],
    floats,
    providers,
    money,
  };
}

async function moneySigns(db: Database, at: Date): Promise<Sign[]> {
  const soon = soonFrom(at).toISOString();
  const [approvals, unknown, contradicted, suspense, accounts, differing, theirs, ours, disputes, near, applications] =
    await Promise.all([
      waitingApprovals(db),
      unknownPayouts(db),
      contradictedPayouts(db),
      countPendingTransactions(db),
      ownAccounts(db),
      differingMessages(db),
      itemsInStatus(db, 'THEIRS_ALONE'),
      itemsInStatus(db, 'OURS_ALONE'),
      openDisputes(db, [null]),
      openDisputes(db, [soon]),
      waitingApplications(db),
    ]);
  const inSuspense = accounts.find(({ account, currency }) => account === 'SUSPENSE' && currency === 'NGN');
  return [
    signOf('APPROVALS_WAITING', { ...approvals, bad: 'WAITS' }),
    signOf('PAYOUTS_UNKNOWN', { ...unknown, bad: 'WRONG' }),
    signOf('PAYOUTS_CONTRADICTED', { ...contradicted, bad: 'WRONG' }),
    { ...signOf('IN_SUSPENSE', { ...suspense, bad: 'WRONG' }), amount: inSuspense?.balance ?? (0n as Minor) },
    signOf('MESSAGES_DIFFER', { ...differing, bad: 'WRONG' }),
    signOf('AT_THE_BANK_ALONE', { ...theirs, bad: 'WRONG' }),
    signOf('IN_OUR_BOOKS_ALONE', { ...ours, bad: 'WRONG' }),
    signOf('DISPUTES_OPEN', { ...disputes, bad: 'WAITS' }),
    signOf('DISPUTES_DUE', { ...near, bad: 'WRONG' }),
    signOf('APPLICATIONS_WAITING', { ...applications, bad: 'WAITS' }),
  ];
}

async function deliverySigns(db: Database, at: Date): Promise<Sign[]> {
  const [due, first, held, failed, failing, paused] = await Promise.all([
    dueDeliveries(db),
    oldestDue(db),
    heldDeliveries(db),
    failedDeliveries(db, justBefore(at)),
    failingReceivers(db),
    pausedReceivers(db),
  ]);
  const isLate = first !== undefined && at.getTime() - first.getTime() > DUE_MS;
  return [
    signOf('DELIVERIES_WAITING', { ...due, since: first, bad: isLate ? 'WRONG' : 'WAITS' }),
    signOf('DELIVERIES_HELD', { ...held, bad: 'WAITS' }),
    signOf('DELIVERIES_FAILED', { ...failed, bad: 'WRONG' }),
    signOf('RECEIVERS_FAILING', { ...failing, bad: 'WRONG' }),
    signOf('RECEIVERS_PAUSED', { ...paused, bad: 'WAITS' }),
  ];
}

async function bookSigns(db: Database, at: Date): Promise<Sign[]> {
  const [sealed, checks, installed] = await Promise.all([sealedUntil(db), measureIntegrity(db), installedAt(db)]);
  return [sealSign(sealed?.endsAt, at, installed), checkSign(checks, at, installed)];
}

function sealSign(endsAt: Date | undefined, at: Date, installed: Date | undefined): Sign {
  const since = endsAt ?? installed;
  const isInTime = since === undefined || at.getTime() - since.getTime() <= SEALED_WITHIN_MS;
  if (endsAt === undefined && isInTime) return { name: 'BOOKS_SEALED', state: 'UNKNOWN' };
  return { name: 'BOOKS_SEALED', state: isInTime ? 'GOOD' : 'WRONG', since };
}

function checkSign({ invariants, kinds }: IntegrityState, at: Date, installed: Date | undefined): Sign {
  const broken = invariants.filter(({ violations, isUnfinished }) => violations > 0 || isUnfinished).length;
  const foundRightAt = kinds.find(({ kind }) => kind === 'whole')?.lastSuccessAt ?? undefined;
  const since = foundRightAt ?? installed;
  const isInTime = since === undefined || at.getTime() - since.getTime() <= CHECKED_WITHIN_MS;
  if (kinds.length === 0 && isInTime) return { name: 'BOOKS_CHECKED', state: 'UNKNOWN' };
  const isGood = broken === 0 && foundRightAt !== undefined && isInTime;
  return { name: 'BOOKS_CHECKED', state: isGood ? 'GOOD' : 'WRONG', count: broken, since };
}

const oldestOf = (all: readonly { since: Date | undefined }[]): Date | undefined =>
  all.flatMap(({ since }) => since ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0];

import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { waitingApplications } from '#modules/clients';
import { differingMessages } from '#modules/collections';
import { openDisputes } from '#modules/disputes';
import { installedAt } from '#modules/keys';
import { lowFloats, type Minor, type MoneyOfDay, moneyOfDay, ownAccounts, pendingTransactions } from '#modules/ledger';
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
import type { SeenProvider } from '../../../providers/seen/port.ts';
import { justBefore, type Sign, signOf, soonFrom } from './sign.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A delivery that could be sent is sent within seconds: after so long nobody sends. */
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

interface Deps {
  db: Database;
  clock: Clock;
  throttles: Throttles;
  providerHealth: () => SeenProvider[];
}

/**
 * What waits for somebody, what has stopped and what is broken, and the money of the day: each read by an index of what it counts
 * alone, and counted up to ten thousand. What providers answer is what this process has seen; nobody is asked for it.
 */
export async function readOverview({ db, clock, throttles, providerHealth }: Deps): Promise<Overview> {
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
      pendingTransactions(db),
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

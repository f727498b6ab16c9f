import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomFraction } from '#lib/random.ts';
import { mayBecome } from '#lib/state-machine.ts';
import {
  assertPosted,
  capture,
  lockTransaction,
  type Poster,
  reversalPosting,
  reversingLegs,
  voidTransaction,
} from '#modules/ledger';
import type { PayoutProvider, PayoutReport } from '../../providers/payout/port.ts';
import { type PayoutState, payoutTransitions } from './payout-state.ts';
import { lockPayout, type PayoutRow, updatePayout } from './store.ts';
import { eventsOfChange, tellPartner } from './tell-partner.ts';

const ASK_MAX_MS = 15 * 60_000;
const JITTER = 0.2;

/** When the provider is asked again: each time after twice as long, up to a quarter of an hour, give or take a fifth. */
function nextAskAt(
  { clock, payouts: { verifyBaseMs } }: { clock: Clock; payouts: { verifyBaseMs: number } },
  { attempts }: Pick<PayoutRow, 'attempts'>,
): Date {
  const delayMs = Math.min(verifyBaseMs * 2 ** Math.max(0, attempts - 1), ASK_MAX_MS);
  return new Date(clock.now().getTime() + delayMs * (1 + JITTER * (2 * randomFraction() - 1)));
}

/** Why a payout failed, as its transaction's FailureReason says it. */
export type PayoutFailure = 'PAYOUT_REFUSED' | 'PAYOUT_NOT_SENT' | 'WALLET_PND' | 'WALLET_BLOCKED';

/** What has become of a payout: what its provider says of it, or what is known here. */
export type PayoutNews =
  | PayoutReport
  | { readonly state: 'UNKNOWN' }
  /** The provider has another payment under our reference. */
  | { readonly state: 'DIFFERENT' }
  | { readonly state: 'NOT_SENT' }
  /** Whoever claims it next sends it, at once. */
  | { readonly state: 'HANDED_BACK' }
  | { readonly state: 'STOPPED'; readonly reason: PayoutFailure };

export type SettleDeps = {
  transact: Transact;
  poster: Poster;
  clock: Clock;
  log: Logger;
  payouts: { verifyBaseMs: number; notFoundAfterMs: number };
  payoutProvider: Pick<PayoutProvider, 'recheckAfterMs'> | undefined;
};

/**
 * Books what has become of a payout, once, however often and in whatever order it is told: success captures what is held,
 * failure releases it, and a reversal after success gives it back by a posting that names it. What cannot be true of a payout
 * that has ended is logged, and changes nothing. The partner is told at endpoints that name the event.
 *
 * @param providerReference our reference at the provider
 * @param judge throws where it must not be booked of the payout, which is locked
 * @param isStill false where it is not true of the payout any more: nothing changes
 * @param also what else is to be written with it, in the same transaction, when it changes the state
 * @returns the payout as it is now; undefined when there is none of this reference
 */
export async function settlePayout(
  deps: SettleDeps,
  { providerReference, news, judge, isStill, also }: Settling,
): Promise<PayoutRow | undefined> {
  return deps.transact(async (tx) => {
    const row = await lockPayout(tx, providerReference);
    if (row === undefined) return undefined;
    judge?.(row);
    if (isStill?.(row) === false) return row;
    const change = await book(tx, deps, row, news);
    if (change === undefined) return row;
    const changed = { ...change, updatedAt: deps.clock.now() };
    await updatePayout(tx, row.id, changed);
    const settled = { ...row, ...changed };
    if (settled.state !== row.state) await also?.(tx, row, settled);
    for (const event of eventsOfChange(row, settled)) await tellPartner(tx, event, settled);
    return settled;
  });
}

export interface Settling {
  providerReference: string;
  news: PayoutNews;
  judge?: ((row: PayoutRow) => void) | undefined;
  isStill?: ((row: PayoutRow) => boolean) | undefined;
  also?: ((tx: Tx, before: PayoutRow, after: PayoutRow) => Promise<void>) | undefined;
}

type Change = Partial<PayoutRow>;

/** What changes of a payout that is locked; undefined: nothing. */
async function book(tx: Tx, deps: SettleDeps, row: PayoutRow, news: PayoutNews): Promise<Change | undefined> {
  const providerId = ('providerId' in news && news.providerId) || row.providerId;
  switch (news.state) {
    case 'SUCCESSFUL':
      return succeed(tx, deps, { ...row, providerId });
    case 'FAILED':
      if (row.state === 'SUCCESSFUL') return reverse(tx, deps, row);
      return fail(tx, deps, { ...row, providerId }, { failureReason: 'PAYOUT_REFUSED', failureDetail: news.detail });
    case 'STOPPED':
      return fail(tx, deps, row, { failureReason: news.reason, failureDetail: null });
    case 'REVERSED': {
      if (row.state === 'REVERSED') return undefined;
      if (row.state === 'FAILED') return takeBack(tx, deps, row); // what left has come back
      const success = row.state === 'SUCCESSFUL' ? {} : await succeed(tx, deps, { ...row, providerId });
      return { ...success, ...(await reverse(tx, deps, row)) };
    }
    case 'NOT_FOUND':
      return notFound(tx, deps, row);
    case 'DIFFERENT':
      // Asked again it would say the same of one that ended: people decide.
      return row.state === 'SUCCESSFUL' ? contradiction(deps, row, 'NOT_FOUND') : unknown(deps, row);
    case 'NOT_SENT':
      return { state: 'PENDING', sentAt: null, dueAt: nextAskAt(deps, row) };
    case 'HANDED_BACK':
      return { dueAt: deps.clock.now() };
    case 'UNKNOWN':
      return unknown(deps, row);
    default:
      // The provider has it, by its own name or by ours: from now on it cannot count as never sent.
      return { providerId: providerId ?? row.providerReference, ...askedAgain(deps, row) };
  }
}

const unknown = (deps: SettleDeps, row: PayoutRow): Change => ({
  ...(isOpen(row.state) ? { state: 'UNKNOWN' as const } : {}),
  ...askedAgain(deps, row),
});

/** When the provider is asked again; of one that has ended otherwise than successful never. */
const askedAgain = (deps: SettleDeps, row: PayoutRow): Change =>
  isOpen(row.state) || row.state === 'SUCCESSFUL' ? { dueAt: nextAskAt(deps, row) } : {};

/** Whether the provider may have been asked, and its answer is not known. */
const isOpen = (state: PayoutState): boolean => state === 'SENT' || state === 'UNKNOWN';

async function succeed(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change | undefined> {
  if (row.state === 'SUCCESSFUL') return { dueAt: null }; // it was looked at once more
  if (row.state === 'REVERSED' || row.correctionId !== null || row.contradiction === 'REVERSED') return undefined; // told late
  if (!mayBecome(payoutTransitions, row.state, 'SUCCESSFUL')) return contradiction(deps, row, 'SUCCESSFUL');
  const status = await capture(tx, row.transactionId);
  if (status !== 'Successful') throw new Error(`the transaction of payout ${row.id} is ${status}`);
  const now = deps.clock.now();
  const recheckMs = deps.payoutProvider?.recheckAfterMs;
  const dueAt = recheckMs === undefined ? null : new Date(now.getTime() + recheckMs);
  const sentAt = row.sentAt ?? now;
  return {
    state: 'SUCCESSFUL',
    providerId: row.providerId,
    sentAt,
    endedAt: now,
    attempts: 0,
    dueAt,
    contradiction: null,
  };
}

async function fail(
  tx: Tx,
  deps: SettleDeps,
  row: PayoutRow,
  why: { failureReason: PayoutFailure; failureDetail: string | null },
): Promise<Change | undefined> {
  if (!mayBecome(payoutTransitions, row.state, 'FAILED')) return undefined; // it has failed, or come back
  const status = await voidTransaction(tx, row.transactionId, why.failureReason);
  if (status !== 'Voided') throw new Error(`the transaction of payout ${row.id} is ${status}`);
  return {
    ...why,
    state: 'FAILED',
    providerId: row.providerId,
    endedAt: deps.clock.now(),
    dueAt: null,
    contradiction: null,
  };
}

/** Gives back what was captured: by a posting in the name of the rail, which says that the money came back. */
async function reverse(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change> {
  await giveBack(tx, deps, row, { transactionId: row.transactionId, reference: `${row.providerReference}-reversed` });
  return { state: 'REVERSED', reversedAt: deps.clock.now(), dueAt: null, contradiction: null };
}

/** Gives back what a correction took of one that failed, unless operators did. One that waits for its correction needs none now. */
async function takeBack(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change | undefined> {
  const { correctionId: transactionId, providerReference } = row;
  if (transactionId === null) return row.contradiction === 'SUCCESSFUL' ? { contradiction: 'REVERSED' } : undefined;
  await giveBack(tx, deps, row, { transactionId, reference: `${providerReference}-correction-reversed` });
  return undefined;
}

async function giveBack(
  tx: Tx,
  { poster }: SettleDeps,
  row: PayoutRow,
  { transactionId, reference }: { transactionId: number; reference: string },
): Promise<void> {
  const original = await lockTransaction(tx, transactionId);
  if (original === undefined) throw new Error(`payout ${row.id} has no transaction`);
  if (original.status === 'Reversed') return;
  const named = { owner: row.partnerId, namer: 'RAIL', reference } as const;
  assertPosted(await poster.tryPost(tx, reversalPosting(original, await reversingLegs(tx, original.id), named)));
}

/**
 * A payout that the provider does not know may still be on its way there; after a while it counts as never sent. Not so one
 * that it has had: it may be another account at the provider that is asked.
 */
async function notFound(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change | undefined> {
  if (row.state === 'SUCCESSFUL') return contradiction(deps, row, 'NOT_FOUND');
  if (!isOpen(row.state)) return undefined;
  if (row.providerId !== null) {
    return { ...contradiction(deps, row, 'NOT_FOUND'), state: 'UNKNOWN', dueAt: nextAskAt(deps, row) };
  }
  const waitedMs = deps.clock.now().getTime() - (row.sentAt ?? row.createdAt).getTime();
  if (waitedMs < deps.payouts.notFoundAfterMs) return { state: 'UNKNOWN', dueAt: nextAskAt(deps, row) };
  return fail(tx, deps, row, { failureReason: 'PAYOUT_NOT_SENT', failureDetail: null });
}

/** The provider says otherwise of a payout than it said before. Operators see it, and the comparison of the day shows it too. */
function contradiction({ log }: SettleDeps, row: PayoutRow, said: PayoutRow['contradiction']): Change | undefined {
  if (row.dueAt === null && row.contradiction === said) return undefined;
  const about = { payout: row.id, state: row.state, said };
  log.error(about, 'the provider says something else of a payout than before: ask it, and correct the books by hand');
  return { contradiction: said, dueAt: null };
}

import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { toMajor } from '#lib/minor-units.ts';
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
import { emitTo } from '#modules/outbox';
import { endpointsThatWant } from '#modules/webhooks';
import type { PayoutProvider, PayoutReport } from '../../providers/payout/port.ts';
import { type PayoutState, payoutTransitions } from './payout-state.ts';
import { lockPayout, type PayoutRow, selectByTransaction, updatePayout } from './store.ts';

/** The result of sending or polling a payout. */
export type PayoutResult =
  | PayoutReport
  | { readonly state: 'UNKNOWN' }
  /** The provider has another payment under our reference. */
  | { readonly state: 'DIFFERENT' }
  | { readonly state: 'NOT_SENT' }
  /** The next worker sends it at once. */
  | { readonly state: 'HANDED_BACK' }
  | { readonly state: 'STOPPED'; readonly reason: PayoutFailure };

/** Why a payout failed: its transaction's FailureReason. */
export type PayoutFailure = 'PAYOUT_REFUSED' | 'PAYOUT_NOT_SENT' | 'WALLET_PND' | 'WALLET_BLOCKED';

export type SettleDeps = {
  transact: Transact;
  poster: Poster;
  clock: Clock;
  log: Logger;
  payouts: { verifyBaseMs: number; notFoundAfterMs: number };
  payoutProvider: Pick<PayoutProvider, 'recheckAfterMs'> | undefined;
};

export interface Settling {
  providerReference: string;
  result: PayoutResult;
  check?: ((row: PayoutRow) => void) | undefined;
  stillApplies?: ((row: PayoutRow) => boolean) | undefined;
  also?: ((tx: Tx, before: PayoutRow, after: PayoutRow) => Promise<void>) | undefined;
}

/**
 * Books the result of a payout once, however often and in whatever order it comes: success captures the hold, failure releases
 * it, and a reversal after success returns the money by a posting. An impossible result for a finished payout is logged and
 * changes nothing. Publishes the partner's events.
 *
 * @param providerReference our reference at the provider
 * @param check throws if the locked payout must not take the result
 * @param stillApplies false if the result no longer applies to the locked payout: nothing changes
 * @param also runs in the same transaction when the state changes
 * @returns the payout as it is now; undefined for an unknown reference
 */
export async function settlePayout(
  deps: SettleDeps,
  { providerReference, result, check, stillApplies, also }: Settling,
): Promise<PayoutRow | undefined> {
  return deps.transact(async (tx) => {
    const row = await lockPayout(tx, { providerReference });
    if (row === undefined) return undefined;
    check?.(row);
    if (stillApplies?.(row) === false) return row;
    const change = await book(tx, deps, row, result);
    if (change === undefined) return row;
    const changed = { ...change, updatedAt: deps.clock.now() };
    await updatePayout(tx, changed, { id: row.id });
    const settled = { ...row, ...changed };
    if (settled.state !== row.state) await also?.(tx, row, settled);
    for (const event of eventsOfChange(row, settled)) await publishPayoutEvent(tx, event, settled);
    return settled;
  });
}

type Change = Partial<PayoutRow>;

/** The change of a locked payout; undefined: none. */
async function book(tx: Tx, deps: SettleDeps, row: PayoutRow, result: PayoutResult): Promise<Change | undefined> {
  const providerId = ('providerId' in result && result.providerId) || row.providerId;
  switch (result.state) {
    case 'SUCCESSFUL':
      return succeed(tx, deps, { ...row, providerId });
    case 'FAILED':
      if (row.state === 'SUCCESSFUL') return reverse(tx, deps, row);
      return fail(tx, deps, { ...row, providerId }, { failureReason: 'PAYOUT_REFUSED', failureDetail: result.detail });
    case 'STOPPED':
      return fail(tx, deps, row, { failureReason: result.reason, failureDetail: null });
    case 'REVERSED': {
      if (row.state === 'REVERSED') return undefined;
      if (row.state === 'FAILED') return reverseCorrection(tx, deps, row); // what left has come back
      const success = row.state === 'SUCCESSFUL' ? {} : await succeed(tx, deps, { ...row, providerId });
      return { ...success, ...(await reverse(tx, deps, row)) };
    }
    case 'NOT_FOUND':
      return notFound(tx, deps, row);
    case 'DIFFERENT':
      // Polling a finished payout again would not help: operators decide.
      return row.state === 'SUCCESSFUL' ? contradiction(deps, row, 'NOT_FOUND') : unknown(deps, row);
    case 'NOT_SENT':
      return { state: 'PENDING', sentAt: null, dueAt: nextPollAt(deps, row) };
    case 'HANDED_BACK':
      return { dueAt: deps.clock.now() };
    case 'UNKNOWN':
      return unknown(deps, row);
    default:
      // The provider knows it, so it can no longer count as never sent.
      return { providerId: providerId ?? row.providerReference, ...pollAgain(deps, row) };
  }
}

const POLL_MAX_MS = 15 * 60_000;

const JITTER = 0.2;

/** The time of the next poll: the interval doubles, up to 15 minutes, with 20 % jitter. */
function nextPollAt(
  { clock, payouts: { verifyBaseMs } }: { clock: Clock; payouts: { verifyBaseMs: number } },
  { attempts }: Pick<PayoutRow, 'attempts'>,
): Date {
  const delayMs = Math.min(verifyBaseMs * 2 ** Math.max(0, attempts - 1), POLL_MAX_MS);
  return new Date(clock.now().getTime() + delayMs * (1 + JITTER * (2 * randomFraction() - 1)));
}

const unknown = (deps: SettleDeps, row: PayoutRow): Change => ({
  ...(isOpen(row.state) ? { state: 'UNKNOWN' as const } : {}),
  ...pollAgain(deps, row),
});

/** Schedules the next poll, except for a payout that failed or was reversed. */
const pollAgain = (deps: SettleDeps, row: PayoutRow): Change =>
  isOpen(row.state) || row.state === 'SUCCESSFUL' ? { dueAt: nextPollAt(deps, row) } : {};

/** Whether the payout may have been sent, with an outcome not yet known. */
const isOpen = (state: PayoutState): boolean => state === 'SENT' || state === 'UNKNOWN';

async function succeed(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change | undefined> {
  if (row.state === 'SUCCESSFUL') return { dueAt: null }; // the second check agrees
  if (row.state === 'REVERSED' || row.correctionId !== null || row.contradiction === 'REVERSED') return undefined; // out of order
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
  if (!mayBecome(payoutTransitions, row.state, 'FAILED')) return undefined; // it failed or came back already
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

/** Returns the captured money by a posting in the name of the rail that sent it back. */
async function reverse(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change> {
  await postReversal(tx, deps, row, {
    transactionId: row.transactionId,
    reference: `${row.providerReference}-reversed`,
  });
  return { state: 'REVERSED', reversedAt: deps.clock.now(), dueAt: null, contradiction: null };
}

/** Reverses the correction of a failed payout, unless operators did. One that awaits its correction needs none now. */
async function reverseCorrection(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change | undefined> {
  const { correctionId: transactionId, providerReference } = row;
  if (transactionId === null) return row.contradiction === 'SUCCESSFUL' ? { contradiction: 'REVERSED' } : undefined;
  await postReversal(tx, deps, row, { transactionId, reference: `${providerReference}-correction-reversed` });
  return undefined;
}

async function postReversal(
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
 * A payout that the provider does not know may still be on its way there; after a while it counts as never sent. A payout that
 * the provider has acknowledged never does: the poll may use another account at the provider.
 */
async function notFound(tx: Tx, deps: SettleDeps, row: PayoutRow): Promise<Change | undefined> {
  if (row.state === 'SUCCESSFUL') return contradiction(deps, row, 'NOT_FOUND');
  if (!isOpen(row.state)) return undefined;
  if (row.providerId !== null) {
    return { ...contradiction(deps, row, 'NOT_FOUND'), state: 'UNKNOWN', dueAt: nextPollAt(deps, row) };
  }
  const waitedMs = deps.clock.now().getTime() - (row.sentAt ?? row.createdAt).getTime();
  if (waitedMs < deps.payouts.notFoundAfterMs) return { state: 'UNKNOWN', dueAt: nextPollAt(deps, row) };
  return fail(tx, deps, row, { failureReason: 'PAYOUT_NOT_SENT', failureDetail: null });
}

/** Records that the provider contradicts its earlier status. Operators see it, also in the comparison of the day. */
function contradiction({ log }: SettleDeps, row: PayoutRow, claimed: PayoutRow['contradiction']): Change | undefined {
  if (row.dueAt === null && row.contradiction === claimed) return undefined;
  const fields = { event: 'payout.contradicted', payoutId: row.id, state: row.state, claimed };
  log.error(fields, 'the provider contradicts its earlier payout status: ask its support, then correct the books');
  return { contradiction: claimed, dueAt: null };
}

type PayoutEvent = 'payout.sent' | 'payout.successful' | 'payout.failed' | 'payout.reversed';

const STATUSES = {
  'payout.sent': 'Pending',
  'payout.successful': 'Successful',
  'payout.failed': 'Failed',
  'payout.reversed': 'Reversed',
} as const satisfies Record<PayoutEvent, string>;

/** The events of a change of state, in order: a payout that was paid and reversed in one step succeeded first. */
function eventsOfChange(before: PayoutRow, after: PayoutRow): PayoutEvent[] {
  if (before.state === after.state) return [];
  if (after.state === 'SUCCESSFUL') return ['payout.successful'];
  if (after.state === 'FAILED') return ['payout.failed'];
  if (after.state !== 'REVERSED') return [];
  return before.state === 'SUCCESSFUL' ? ['payout.reversed'] : ['payout.successful', 'payout.reversed'];
}

/**
 * Publishes a payout event to the endpoints of the wallet's partner that name it, in the transaction of the change. The event does
 * not name the payee.
 */
export async function publishPayoutEvent(tx: Tx, event: PayoutEvent, row: PayoutRow): Promise<void> {
  const endpoints = await endpointsThatWant(tx, { ownerId: row.partnerId, event, toKeep: true });
  if (endpoints.length === 0) return;
  const transaction = (await selectByTransaction(tx, { id: row.transactionId }))?.transaction;
  if (transaction === undefined) throw new Error(`payout ${row.id} has no transaction`);
  const { reference } = transaction;
  const data = {
    Wallet: row.wallet,
    FailureReason: event === 'payout.failed' ? (row.failureReason ?? '') : '',
    BankName: row.bankName,
    Transaction: {
      Amount: toMajor(row.amount),
      Fee: toMajor(transaction.fee + transaction.stampDuty),
      Status: STATUSES[event],
      Reference: reference,
      ExternalReference: transaction.externalReference ?? '',
      Comment: transaction.comment ?? '',
    },
    CreatedAt: row.createdAt,
    ...(row.sentAt !== null && { SentAt: row.sentAt }),
    ...(event !== 'payout.sent' && row.endedAt !== null && { EndedAt: row.endedAt }),
    ...(event === 'payout.reversed' && row.reversedAt !== null && { ReversedAt: row.reversedAt }),
  };
  const body = JSON.stringify({ event, reference, data });
  for (const { endpointId } of endpoints) await emitTo(tx, { endpointId, event, reference, body });
}

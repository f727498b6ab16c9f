import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  assertPosted,
  lockAccounts,
  lockTransaction,
  type Minor,
  type Poster,
  type TransactionRow,
} from '#modules/ledger';
import { liftLienOf, lockWallet, refundWithin } from '#modules/wallets';
import { alreadyDecided, type DisputeView, disputeNotFound, getDispute, publishDisputeEvent } from './dispute.ts';
import { isUndecided } from './dispute-state.ts';
import { type DisputeRow, lockDispute, lockOverdue, selectById, selectTransaction, updateDispute } from './store.ts';

export interface Decision {
  actor: string;
  id: string;
  outcome: 'WON' | 'LOST';
  reason: string;
}

/**
 * Decides a dispute, once, whether or not it has expired. Won: the lien is lifted. Lost: the lien is lifted and the amount goes
 * back to the payer by a refund that names the original, both or neither; amounts refunded or reversed meanwhile are not
 * refunded twice. A repeated call answers the same. Audited, and published to the partner.
 *
 * @throws DomainError DISPUTE_NOT_FOUND; DISPUTE_STATE_CONFLICT for another decision; for LOST the ledger's refusals of
 *   the refund, without a decision: INSUFFICIENT_FUNDS where the wallet does not hold the amount
 */
export async function decideDispute(
  deps: {
    db: Database;
    transact: Transact;
    clock: Clock;
    keyring: Keyring;
    poster: Poster;
    securityLog: SecurityLog;
  },
  { actor, id, outcome, reason }: Decision,
): Promise<DisputeView> {
  await deps.transact(async (tx) => {
    const row = await lockDispute(tx, { id });
    if (row === undefined) throw disputeNotFound();
    if (row.state === outcome) return;
    if (!isUndecided(row.state)) throw alreadyDecided(row);

    const original = await lockMoney(tx, deps.keyring, row);
    const { wallet: walletReference, lienId: lien } = row;
    const lifted = `dispute ${id}: ${outcome}`;
    await liftLienOf(tx, deps, { actor, walletReference, lien, heldFor: 'DISPUTE', reason: lifted });
    const refund = outcome === 'LOST' ? await refundRest(tx, deps, { row, original, actor, reason }) : undefined;

    const decision = { state: outcome, decidedAt: deps.clock.now(), decision: reason };
    const ended = await updateDispute(tx, id, { ...decision, refundId: refund?.id ?? null });
    const after = { state: outcome, refunded: String(refund?.amount ?? 0n), refundId: refund?.id };
    const before = { state: row.state };
    await recordChange(tx, { actor, action: 'dispute.decide', target: id, before, after, reason });
    await publishDisputeEvent(tx, 'dispute.decided', { row: ended, original, refund });
  });
  return getDispute(deps, { id });
}

/** The disputed amount, minor units. @throws DomainError DISPUTE_NOT_FOUND */
export async function disputedAmount({ db }: { db: Database }, id: string): Promise<Minor> {
  const found = await selectById(db, { id });
  if (found === undefined) throw disputeNotFound();
  return asMinor(found.row.amount);
}

/** Locks all that a decision moves, in the order of postings. @returns the disputed transaction */
async function lockMoney(
  tx: Tx,
  keyring: Keyring,
  { wallet, accountId, transactionId }: DisputeRow,
): Promise<TransactionRow> {
  await lockWallet(tx, keyring, wallet);
  const original = await lockTransaction(tx, transactionId);
  if (original === undefined) throw new Error(`transaction ${transactionId} is gone`);
  await lockAccounts(tx, [accountId, ...(original.sourceId === null ? [] : [original.sourceId])]);
  return original;
}

/** Refunds the amount, less refunds since the dispute was opened. @returns undefined where nothing is left */
async function refundRest(
  tx: Tx,
  deps: { poster: Poster },
  { row, original, actor, reason }: { row: DisputeRow; original: TransactionRow; actor: string; reason: string },
): Promise<{ id: number; amount: Minor; reference: string } | undefined> {
  const meanwhile = original.refunded - row.refundedBefore;
  const left = row.amount - (meanwhile > 0n ? meanwhile : 0n);
  if (original.status !== 'Successful' || left <= 0n) return undefined;
  const amount = asMinor(left);
  const reference = `DSP-${row.id}`;
  const refund = { partnerId: row.partnerId, original: original.reference, reference, amount, actor, reason };
  const { id } = assertPosted(await refundWithin(tx, deps, original, refund));
  return { id, amount, reference };
}

/**
 * Expires at most `limit` disputes without a decision by their deadline, and publishes it. No money moves, and the lien stays
 * until the operator decides. Several processes may do so at once.
 *
 * @returns how many
 */
export async function expireDisputes(
  { transact, clock }: { transact: Transact; clock: Clock },
  limit: number,
  now: Date,
): Promise<number> {
  return transact(async (tx) => {
    const overdue = await lockOverdue(tx, { now, limit });
    for (const { id, state, transactionId } of overdue) {
      const row = await updateDispute(tx, id, { state: 'EXPIRED', expiredAt: clock.now() });
      const [before, after] = [{ state }, { state: 'EXPIRED' }];
      await recordChange(tx, { actor: 'system', action: 'dispute.expire', target: id, before, after });
      const original = await selectTransaction(tx, transactionId);
      await publishDisputeEvent(tx, 'dispute.expired', { row, original, refund: undefined });
    }
    return overdue.length;
  });
}

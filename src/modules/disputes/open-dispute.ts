import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { asMinor, lockTransaction, type Minor, settledAccountOf, type TransactionRow } from '#modules/ledger';
import {
  type FoundWallet,
  findWalletOfAccount,
  getTransaction,
  isRefundable,
  lockWallet,
  placeLienFor,
} from '#modules/wallets';
import { alreadyDecided, type DisputeView, disputeNotFound, getDispute, publishDisputeEvent } from './dispute.ts';
import { isUndecided } from './dispute-state.ts';
import { type EvidenceText, sealEvidence } from './evidence.ts';
import {
  countEvidence,
  EVIDENCE_MAX,
  insertDispute,
  insertEvidence,
  lockDispute,
  selectTransaction,
  selectUndecided,
} from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const RESPOND_BY_DAYS_MAX = 366;
const LIEN_REASON_MAX = 500;

export interface NewDispute {
  actor: string;
  /** The partner that gave the reference, or whose wallet the transaction moved. */
  partnerId: string;
  transactionReference: string;
  /** Absent: all that was not refunded. */
  amount?: Minor | undefined;
  reason: string;
  evidence: readonly EvidenceText[];
  /** The deadline for the receiver's partner. */
  respondBy: Date;
}

/**
 * Opens a dispute about a transaction that reached a wallet, and blocks its amount there by a lien, even when the wallet no longer
 * holds it. Audited, and published to the wallet's partner.
 *
 * @throws DomainError INVALID_PARAMETER for a deadline that has passed or is more than a year away; TRANSACTION_NOT_FOUND;
 *   TRANSACTION_NOT_DISPUTABLE for one that reached no wallet or was not successful; REFUND_EXCEEDS for more than is left of it;
 *   DISPUTE_OPEN where another is undecided; WALLET_REVOKED
 */
export async function openDispute(
  deps: { db: Database; transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  { actor, partnerId, transactionReference, amount: asked, reason, evidence, respondBy }: NewDispute,
): Promise<DisputeView> {
  const { db, transact, clock, keyring } = deps;
  const now = clock.now();
  const named = await getTransaction(db, { partnerId, reference: transactionReference });
  if (respondBy <= now) throw new DomainError('INVALID_PARAMETER', 'respondBy: must be in the future');
  if (respondBy.getTime() > now.getTime() + RESPOND_BY_DAYS_MAX * DAY_MS) {
    throw new DomainError('INVALID_PARAMETER', `respondBy: must be within ${RESPOND_BY_DAYS_MAX} days`);
  }
  const id = await transact(async (tx) => {
    const wallet = await receiverOf(tx, keyring, await selectTransaction(tx, named.id));
    await lockWallet(tx, keyring, wallet.reference);
    const transaction = await lockTransaction(tx, named.id);
    if (transaction?.status !== 'Successful') throw notDisputable();
    if ((await selectUndecided(tx, { transactionId: transaction.id })) !== undefined) throw alreadyDisputed();
    const left = transaction.amount - transaction.refunded;
    const amount = asked ?? asMinor(left);
    if (amount > left) throw exceedsRest();

    const lien = await placeLienFor(tx, deps, {
      actor,
      walletReference: wallet.reference,
      amount,
      reason: `dispute of ${transaction.reference}: ${reason}`.slice(0, LIEN_REASON_MAX),
      heldFor: 'DISPUTE',
    });
    const { currency } = transaction;
    const row = await insertDispute(tx, {
      transactionId: transaction.id,
      partnerId: wallet.partnerId,
      wallet: wallet.reference,
      accountId: wallet.account,
      amount,
      refundedBefore: transaction.refunded,
      currency,
      reason,
      lienId: lien.id,
      respondBy,
      createdAt: now,
    });
    if (row === undefined) throw alreadyDisputed();
    const opening = { disputeId: row.id, by: 'OPERATOR', createdAt: now } as const;
    await insertEvidence(
      tx,
      evidence.map((said, at) => sealEvidence(keyring, { ...opening, number: at + 1 }, said)),
    );
    const after = { transaction: transaction.reference, wallet: wallet.reference, amount: String(amount), currency };
    await recordChange(tx, { actor, action: 'dispute.open', target: row.id, after, reason });
    await publishDisputeEvent(tx, 'dispute.opened', { row, original: transaction, refund: undefined });
    return row.id;
  });
  return getDispute(deps, { id });
}

const alreadyDisputed = () => new DomainError('DISPUTE_OPEN', 'this transaction has an undecided dispute');
const exceedsRest = () => new DomainError('REFUND_EXCEEDS', 'amount: is more than what is left of the transaction');
const notDisputable = () =>
  new DomainError(
    'TRANSACTION_NOT_DISPUTABLE',
    'only a transaction that reached a wallet and was not refunded can be disputed',
  );

/** The wallet that received the money of a successful transaction; it never changes. */
async function receiverOf(db: Executor, keyring: Keyring, transaction: TransactionRow): Promise<FoundWallet> {
  const { id, type, status, destinationId, pendingReason } = transaction;
  if (status === 'Successful' && isRefundable(type) && destinationId !== null) {
    const account = pendingReason === null ? destinationId : await settledAccountOf(db, id);
    const wallet = await findWalletOfAccount(db, keyring, account);
    if (wallet !== undefined) return wallet;
  }
  throw notDisputable();
}

interface NewEvidence extends EvidenceText {
  id: string;
  /** The wallet's partner, for its own disputes before the deadline. Absent: an operator, whose addition is audited. */
  partnerId?: string | undefined;
  actor?: string | undefined;
  /** The operator's. */
  reason?: string | undefined;
}

/**
 * Adds evidence: by the wallet's partner until the deadline, by an operator until the decision.
 *
 * @throws DomainError DISPUTE_NOT_FOUND, also for another partner's; DISPUTE_STATE_CONFLICT for one that is decided;
 *   DISPUTE_EXPIRED for a partner after the deadline; INVALID_PARAMETER when there are fifty pieces already
 */
export async function addEvidence(
  deps: { db: Database; transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  { id, partnerId, actor, reason, ...said }: NewEvidence,
): Promise<DisputeView> {
  const { transact, clock, keyring } = deps;
  await transact(async (tx) => {
    const row = await lockDispute(tx, { id });
    if (row === undefined || (partnerId ?? row.partnerId) !== row.partnerId) throw disputeNotFound();
    if (!isUndecided(row.state)) throw alreadyDecided(row);
    const now = clock.now();
    // Overdue, even before it is marked as expired.
    if (partnerId !== undefined && (row.state === 'EXPIRED' || row.respondBy <= now)) throw deadlinePassed();
    const count = await countEvidence(tx, id);
    if (count >= EVIDENCE_MAX) {
      throw new DomainError('INVALID_PARAMETER', `text: a dispute has ${EVIDENCE_MAX} pieces of evidence at most`);
    }
    const by = partnerId === undefined ? 'OPERATOR' : 'PARTNER';
    await insertEvidence(tx, [sealEvidence(keyring, { disputeId: id, number: count + 1, by, createdAt: now }, said)]);
    if (actor === undefined) return;
    const after = { evidence: count + 1 };
    await recordChange(tx, { actor, action: 'dispute.evidence', target: id, after, reason });
  });
  return getDispute(deps, { id });
}

const deadlinePassed = () => new DomainError('DISPUTE_EXPIRED', 'the time to answer this dispute has expired');

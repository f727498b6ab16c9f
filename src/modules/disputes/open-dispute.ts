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
import { type DisputeView, getDispute, publishDisputeEvent } from './dispute.ts';
import { type EvidenceText, sealEvidence } from './evidence.ts';
import { insertDispute, insertEvidence, selectTransaction, selectUndecided } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_MAX = 366;
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
  if (respondBy.getTime() > now.getTime() + DAYS_MAX * DAY_MS) {
    throw new DomainError('INVALID_PARAMETER', `respondBy: must be within ${DAYS_MAX} days`);
  }
  const id = await transact(async (tx) => {
    const wallet = await receiverOf(tx, keyring, await selectTransaction(tx, named.id));
    await lockWallet(tx, keyring, wallet.reference);
    const transaction = await lockTransaction(tx, named.id);
    if (transaction?.status !== 'Successful') throw notDisputable();
    if ((await selectUndecided(tx, { transactionId: transaction.id })) !== undefined) throw isOpen();
    const left = transaction.amount - transaction.refunded;
    const amount = asked ?? asMinor(left);
    if (amount > left) throw exceeds();

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
    if (row === undefined) throw isOpen();
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

const isOpen = () => new DomainError('DISPUTE_OPEN', 'this transaction has an undecided dispute');
const exceeds = () => new DomainError('REFUND_EXCEEDS', 'amount: is more than what is left of the transaction');
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

import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RowInSql } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { accountRoute } from '#modules/ledger';
import { type DeliveryAbout, listDeliveriesAboutOne } from '#modules/webhooks';
import { eventOf, type Offers } from './offers.ts';
import { offerRoute, selectDecided, selectOf, type TagTransactionParts } from './store.ts';
import { type TagTransaction, toTagTransaction } from './tag-transaction.ts';
import type { TagTransactionStatus } from './tag-transaction-status.ts';
import { type TransactionView, viewOf, viewWith } from './webhook-record.ts';

/** The error of a transaction that does not exist, or is between others. */
export const transactionNotFound = (): DomainError =>
  new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');

/** A decision on a transaction by one of its applications. */
export interface Decision {
  /** Who decides. */
  applicationId: string;
  id: string;
}

/** A transaction that waits for a decision. */
export interface Decided extends TagTransactionParts {
  holdId: number;
  senderAccount: RowInSql<typeof accountRoute> | null;
  receiverAccount: RowInSql<typeof accountRoute> | null;
  /** Both tags can pay and be paid now. */
  areTagsInUse: boolean;
  /** How its events have reached whoever decides. */
  deliveries: readonly DeliveryAbout[];
}

/**
 * The transaction on which one of its sides decides.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; AlteredRecord
 */
export async function requireWaiting(
  { db, keyring }: { db: Database; keyring: Keyring },
  { applicationId, id }: Decision,
  side: 'sender' | 'receiver',
  now: Date,
): Promise<Decided> {
  const [found, deliveries] = await Promise.all([
    selectDecided(db, { applicationId, id }),
    listDeliveriesAboutOne(db, { ownerId: applicationId, subjectId: id }),
  ]);
  if (found === undefined) throw transactionNotFound();
  assertAuthentic(keyring, offerRoute, found.row);
  if (found.row[`${side}AppId`] !== applicationId) {
    throw new DomainError('NOT_PERMITTED', `only the ${side} of a transaction may do this`);
  }
  const { status } = toTagTransaction(found, now);
  if (status !== 'AWAITING_ACCEPTANCE') throw notPending(status);
  const { holdId } = found.row;
  if (holdId === null) throw new Error(`transaction ${id} waits and holds nothing`);
  const { ordinal: _ordinal, ...decided } = found;
  return { ...decided, holdId, deliveries };
}

const endings = {
  ACCEPTED: 'TRANSACTION_ACCEPTED',
  REJECTED: 'TRANSACTION_REJECTED',
  CANCELLED: 'TRANSACTION_CANCELLED',
} as const;

/** How a decision ends a transaction. */
type Ending = { status: keyof typeof endings } & Partial<
  Pick<TagTransaction, 'acceptedAt' | 'rejectedAt' | 'rejectionReason'>
>;

/**
 * Ends a transaction that waits by the decision of one of its sides, and publishes it. When several decide at once, one does.
 *
 * @param posting what captures its hold, as `Poster.json` gave it; absent: the hold is released
 * @throws DomainError TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; and, without deciding it, what the ledger refuses
 */
export async function endTransaction(
  { db, offers }: { db: Database; offers: Offers },
  { applicationId, id }: Decision,
  { deliveries, ...waiting }: Decided,
  { now, posting, ...ending }: Ending & { now: Date; posting?: string | undefined },
): Promise<TransactionView> {
  const transaction = { ...toTagTransaction(waiting, now), ...ending, updatedAt: now };
  const isDone = await offers.decide({
    transaction,
    event: eventOf(endings[ending.status], transaction),
    ...(posting === undefined ? { release: waiting.holdId } : { posting }),
  });
  if (!isDone) {
    const found = await selectOf(db, { applicationId, id });
    throw found === undefined ? transactionNotFound() : notPending(toTagTransaction(found, now).status);
  }
  const isOneApplication = transaction.senderAppId === transaction.receiverAppId; // which has just been sent the event
  return isOneApplication ? viewOf(db, applicationId, transaction) : viewWith(transaction, applicationId, deliveries);
}

const notPending = (status: TagTransactionStatus): DomainError =>
  status === 'EXPIRED'
    ? new DomainError('TRANSACTION_EXPIRED', 'the time to decide this transaction has expired')
    : new DomainError('TRANSACTION_NOT_PENDING', `the transaction is ${status} already`);

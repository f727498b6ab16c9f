import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RowInSql, readRow } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { accountRoute, asMinor, type Poster, refusalError, releaseHold } from '#modules/ledger';
import { type DeliveryAbout, listDeliveriesAboutOne } from '#modules/webhooks';
import { type TransactionView, transactionNotFound, viewOf, viewWith } from './get-transaction.ts';
import { eventOf, type Offers, settlementPosting } from './offers.ts';
import {
  expireOverdue,
  offerRoute,
  selectDecided,
  selectOf,
  selectOverdue,
  type TagTransactionParts,
  type TagTransactionRow,
} from './store.ts';
import type { TagTransactionStatus } from './tables.ts';
import { publish, readTagTransaction, type TagTransaction, toTagTransaction } from './tag-transaction.ts';

/** A decision on a transaction by one of its applications. */
export interface Decision {
  /** The deciding application. */
  applicationId: string;
  id: string;
}

/**
 * The receiver accepts: its wallet is credited from the hold in the same database transaction, and the sender gets the event.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; and, without
 *   a decision, TAG_NOT_PAYABLE while one of its tags is not in use, and the ledger's refusals
 */
export async function acceptTransaction(
  {
    db,
    keyring,
    clock,
    poster,
    offers,
  }: { db: Database; keyring: Keyring; clock: Clock; poster: Poster; offers: Offers },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const waiting = await requirePending({ db, keyring }, decision, 'receiver', now);
  if (!waiting.areTagsInUse) throw refusalError('TAG_NOT_PAYABLE');
  const posting = settlementOf(keyring, waiting);
  return endTransaction({ db, offers }, decision, waiting, {
    status: 'ACCEPTED',
    acceptedAt: now,
    now,
    posting: posting && poster.json(posting),
  });
}

/** The posting that captures the hold; undefined when no money moves. */
function settlementOf(keyring: Keyring, { row, holdId, senderAccount, receiverAccount }: PendingTransaction) {
  if (senderAccount === null || receiverAccount === null) throw new Error('an application has no settlement wallet');
  const offer = { ...row, amount: asMinor(row.amount), fee: asMinor(row.fee), narration: row.narration ?? undefined };
  for (const account of [senderAccount, receiverAccount]) assertAuthentic(keyring, accountRoute, readRow(account));
  const accounts = { sender: Number(senderAccount.id), receiver: Number(receiverAccount.id) };
  const posting = settlementPosting(offer, accounts);
  return posting.legs.length === 0 ? undefined : { ...posting, hold: holdId };
}

/**
 * The receiver rejects: the hold is released, and the sender gets the event with the reason.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function rejectTransaction(
  { db, keyring, clock, offers }: { db: Database; keyring: Keyring; clock: Clock; offers: Offers },
  { rejectionReason, ...decision }: Decision & { rejectionReason: string },
): Promise<TransactionView> {
  const now = clock.now();
  const waiting = await requirePending({ db, keyring }, decision, 'receiver', now);
  const ending = { status: 'REJECTED', rejectedAt: now, rejectionReason, now } as const;
  return endTransaction({ db, offers }, decision, waiting, ending);
}

/**
 * The sender cancels before the receiver has decided: the hold is released, and the receiver gets the event.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED
 */
export async function cancelTransaction(
  { db, keyring, clock, offers }: { db: Database; keyring: Keyring; clock: Clock; offers: Offers },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const waiting = await requirePending({ db, keyring }, decision, 'sender', now);
  return endTransaction({ db, offers }, decision, waiting, { status: 'CANCELLED', now });
}

/** A transaction without a decision. */
export interface PendingTransaction extends TagTransactionParts {
  holdId: number;
  senderAccount: RowInSql<typeof accountRoute> | null;
  receiverAccount: RowInSql<typeof accountRoute> | null;
  /** Both tags can pay and be paid now. */
  areTagsInUse: boolean;
  /** The deliveries of its events to the deciding application. */
  deliveries: readonly DeliveryAbout[];
}

/**
 * The pending transaction, for a decision by one side.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; AlteredRecord
 */
async function requirePending(
  { db, keyring }: { db: Database; keyring: Keyring },
  { applicationId, id }: Decision,
  side: 'sender' | 'receiver',
  now: Date,
): Promise<PendingTransaction> {
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
  if (holdId === null) throw new Error(`transaction ${id} is pending without a hold`);
  const { ordinal: _ordinal, ...decided } = found;
  return { ...decided, holdId, deliveries };
}

type Ending = { status: keyof typeof endings } & Partial<
  Pick<TagTransaction, 'acceptedAt' | 'rejectedAt' | 'rejectionReason'>
>;

/**
 * Ends a pending transaction by a decision, and publishes it. Of several concurrent decisions one succeeds.
 *
 * @param posting captures its hold, from `Poster.json`; absent: the hold is released
 * @throws DomainError TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; and, without a decision, the ledger's refusals
 */
async function endTransaction(
  { db, offers }: { db: Database; offers: Offers },
  { applicationId, id }: Decision,
  { deliveries, ...waiting }: PendingTransaction,
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
  const isOneApplication = transaction.senderAppId === transaction.receiverAppId; // then this event is among its deliveries
  return isOneApplication ? viewOf(db, applicationId, transaction) : viewWith(transaction, applicationId, deliveries);
}

const endings = {
  ACCEPTED: 'TRANSACTION_ACCEPTED',
  REJECTED: 'TRANSACTION_REJECTED',
  CANCELLED: 'TRANSACTION_CANCELLED',
} as const;

const notPending = (status: TagTransactionStatus): DomainError =>
  status === 'EXPIRED'
    ? new DomainError('TRANSACTION_EXPIRED', 'the time to decide this transaction has expired')
    : new DomainError('TRANSACTION_NOT_PENDING', `the transaction is ${status} already`);

/**
 * Expires at most `limit` overdue transactions: their holds are released, and both sides get the event. Each has a database
 * transaction of its own, so that no two wait for each other. Several processes may do so at once.
 *
 * @returns how many
 */
export async function expireTransactions(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
  now: Date,
): Promise<number> {
  let expired = 0;
  for (const id of await selectOverdue(db, now, limit)) {
    const isDone = await transact(async (tx) => {
      const row = await expireOverdue(tx, id, now);
      if (row !== undefined) await releaseMoney(tx, row, now);
      return row !== undefined;
    });
    if (isDone) expired += 1;
  }
  return expired;
}

async function releaseMoney(tx: Tx, { id, holdId }: TagTransactionRow, now: Date): Promise<void> {
  if (holdId === null) throw new Error(`transaction ${id} was pending without a hold`);
  await releaseHold(tx, holdId);
  await publish(tx, 'TRANSACTION_EXPIRED', await readTagTransaction(tx, id, now));
}

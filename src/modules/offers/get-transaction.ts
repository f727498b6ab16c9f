import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { TransactionType } from '#modules/ledger';
import { type DeliveryAbout, listDeliveriesAbout, listDeliveriesAboutOne } from '#modules/webhooks';
import { bookedAs, bookReference } from './offers.ts';
import { selectAllById, selectById, selectByReference, selectOf } from './store.ts';
import {
  isPaidAtOnce,
  recipients,
  type TagTransaction,
  type TagTransactionEvent,
  toTagTransaction,
} from './tag-transaction.ts';

/** A transaction that this application sends or receives. @throws DomainError TRANSACTION_NOT_FOUND, also for others */
export async function getTagTransaction(
  { db, clock }: { db: Database; clock: Clock },
  { applicationId, id }: { applicationId: string; id: string },
): Promise<TransactionView> {
  const [found, deliveries] = await Promise.all([
    selectOf(db, { applicationId, id }),
    listDeliveriesAboutOne(db, { ownerId: applicationId, subjectId: id }),
  ]);
  if (found === undefined) throw transactionNotFound();
  return viewWith(toTagTransaction(found, clock.now()), applicationId, deliveries);
}

/** An application's transaction by its reference, a declined one too. */
export async function findTagTransaction(
  { db, clock }: { db: Database; clock: Clock },
  { applicationId, reference }: { applicationId: string; reference: string },
): Promise<TransactionView | undefined> {
  const found = await selectByReference(db, { senderAppId: applicationId, reference });
  return found && viewOf(db, applicationId, toTagTransaction(found, clock.now()));
}

/** The tag transaction of a posting, by our reference; undefined for another posting. */
export async function findBookedAs(
  { db, clock }: { db: Executor; clock: Clock },
  reference: string,
): Promise<TagTransaction | undefined> {
  const id = bookedAs(reference);
  const found = id === undefined ? undefined : await selectById(db, { id });
  return found && toTagTransaction(found, clock.now());
}

/** The senders (application and tag) of tag transactions by our reference. Other transactions are left out. */
export async function findSendersBookedAs(
  db: Executor,
  transactions: readonly { type: TransactionType; reference: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = transactions.flatMap(({ type, reference }) => (type === 'SWITCH' ? (bookedAs(reference) ?? []) : []));
  if (ids.length === 0) return new Map();
  const found = await selectAllById(db, ids);
  return new Map(
    found.map(({ row, senderAppName }) => [bookReference(row.id), `${senderAppName} (@${row.senderTag})`]),
  );
}

/** A delivery of a transaction's event to one of its applications. */
export interface WebhookRecord extends Omit<DeliveryAbout, 'event' | 'subjectId'> {
  eventType: string;
  applicationId: string;
  applicationName: string;
  /** The side of the transaction as which the application received the event. */
  direction: 'SENDER' | 'RECEIVER';
}

/** A transaction with the deliveries of its events to one of its applications. */
export interface TransactionView extends TagTransaction {
  webhooks: WebhookRecord[];
}

/** Transactions as one of their applications sees them, with one query for all deliveries. */
export async function viewsOf(
  db: Executor,
  applicationId: string,
  transactions: readonly TagTransaction[],
): Promise<TransactionView[]> {
  const subjectIds = transactions.map(({ id }) => id);
  const deliveries = await listDeliveriesAbout(db, { ownerId: applicationId, subjectIds });
  const byTransaction = Map.groupBy(deliveries, ({ subjectId }) => subjectId);
  return transactions.map((one) => viewWith(one, applicationId, byTransaction.get(one.id) ?? []));
}

/**
 * A transaction as its sender saw it when it had just been created: with the first delivery to the sender, before any attempt.
 */
export async function viewAsInitiated(db: Executor, transaction: TagTransaction): Promise<TransactionView> {
  const event: TagTransactionEvent = isPaidAtOnce(transaction) ? 'TRANSACTION_ACCEPTED' : 'TRANSACTION_INITIATED';
  const isForSender = recipients[event].some((side) => transaction[side] === transaction.senderAppId);
  if (!isForSender) return { ...transaction, webhooks: [] };
  const { webhooks, ...view } = await viewOf(db, transaction.senderAppId, transaction);
  const first = webhooks.find(({ eventType }) => eventType === event); // resends come later
  return { ...view, webhooks: first === undefined ? [] : [asCreated(first)] };
}

/** Without the URL: the receiver's URL at that time is not stored. */
const asCreated = ({ createdAt, ...record }: WebhookRecord): WebhookRecord => ({
  ...record,
  status: 'PENDING',
  targetUrl: null,
  attempts: 0,
  lastError: null,
  lastAttemptAt: null,
  deliveredAt: null,
  createdAt,
  updatedAt: createdAt,
});

/** A transaction as one of its applications sees it, with its deliveries to that application. */
export const viewWith = (
  transaction: TagTransaction,
  applicationId: string,
  deliveries: readonly DeliveryAbout[],
): TransactionView => ({
  ...transaction,
  webhooks: deliveries.map((one) => toRecord(one, transaction, applicationId)),
});

/** One transaction as one of its applications sees it. */
export async function viewOf(
  db: Executor,
  applicationId: string,
  transaction: TagTransaction,
): Promise<TransactionView> {
  const asked = { ownerId: applicationId, subjectId: transaction.id };
  return viewWith(transaction, applicationId, await listDeliveriesAboutOne(db, asked));
}

function toRecord(
  { event, subjectId: _subjectId, ...delivery }: DeliveryAbout,
  transaction: TagTransaction,
  applicationId: string,
): WebhookRecord {
  const sides: readonly string[] = recipients[event as TagTransactionEvent];
  const isSender = transaction.senderAppId === applicationId && sides.includes('senderAppId');
  return {
    ...delivery,
    eventType: event,
    applicationId,
    applicationName: isSender ? transaction.senderAppName : transaction.receiverAppName,
    direction: isSender ? 'SENDER' : 'RECEIVER',
  };
}

/** The error of a transaction that does not exist, or is between others. */
export const transactionNotFound = (): DomainError =>
  new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');

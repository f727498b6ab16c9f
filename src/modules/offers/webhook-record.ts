import type { Executor } from '#lib/postgres/executor.ts';
import { type DeliveryAbout, listDeliveriesAbout, listDeliveriesAboutOne } from '#modules/webhooks';
import { isPaidAtOnce, type TagTransaction } from './tag-transaction.ts';
import { recipients, type TagTransactionEvent } from './tag-transaction-event.ts';

/** How an event of a transaction reached one of its applications, or did not. */
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

/** Transactions as one of their applications sees them, with one query for all their deliveries. */
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
 * A transaction as its sender saw it when it had just been made: with what notified the sender of that, when nothing had been
 * sent yet.
 */
export async function viewAsInitiated(db: Executor, transaction: TagTransaction): Promise<TransactionView> {
  const event: TagTransactionEvent = isPaidAtOnce(transaction) ? 'TRANSACTION_ACCEPTED' : 'TRANSACTION_INITIATED';
  const isToldSender = recipients[event].some((side) => transaction[side] === transaction.senderAppId);
  if (!isToldSender) return { ...transaction, webhooks: [] };
  const { webhooks, ...view } = await viewOf(db, transaction.senderAppId, transaction);
  const first = webhooks.find(({ eventType }) => eventType === event); // a resend comes after it
  return { ...view, webhooks: first === undefined ? [] : [asMade(first)] };
}

/** Without the URL, since nothing says where its receiver was then. */
const asMade = ({ createdAt, ...record }: WebhookRecord): WebhookRecord => ({
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

import type { Executor } from '#lib/database.ts';
import { deliveriesTold, type ToldDelivery } from '#modules/outbox';
import { selectBearers } from './store.ts';
import type { TagTransaction } from './tag-transaction.ts';
import { recipients, type TagTransactionEvent, transactionEvents } from './tag-transaction-event.ts';

/** How an event of a transaction reached one of its applications, or did not. */
export interface WebhookRecord extends Omit<ToldDelivery, 'event' | 'body'> {
  eventType: string;
  applicationId: string;
  applicationName: string;
  /** As which side the application was told. */
  direction: 'SENDER' | 'RECEIVER';
}

/** A transaction with the deliveries of one of its applications, and of no other. */
export interface TransactionView extends TagTransaction {
  webhooks: WebhookRecord[];
}

/** Transactions as one of their applications sees them, with one query for all that it was told of them. */
export async function seenBy(
  db: Executor,
  applicationId: string,
  transactions: readonly TagTransaction[],
): Promise<TransactionView[]> {
  const references = transactions.map(({ reference }) => reference);
  const told = await deliveriesTold(db, { ownerId: applicationId, references, events: transactionEvents });
  const ofPurged = await transactionsOfPurged(db, applicationId, told);
  const byTransaction = Map.groupBy(told, (one) => transactionOf(one) ?? ofPurged.get(one.reference));
  return transactions.map((transaction) => ({
    ...transaction,
    webhooks: (byTransaction.get(transaction.id) ?? []).map((one) => toRecord(one, transaction, applicationId)),
  }));
}

/** The transaction a delivery tells of, as its body says; undefined once that is purged. */
const transactionOf = ({ body }: ToldDelivery): string | undefined =>
  body === null ? undefined : (JSON.parse(body) as { data: { id: string } }).data.id;

/** Transactions by their references, as far as those are borne by one of the application's alone. */
async function transactionsOfPurged(
  db: Executor,
  applicationId: string,
  told: readonly ToldDelivery[],
): Promise<Map<string, string>> {
  const references = told.filter(({ body }) => body === null).map(({ reference }) => reference);
  const bearers = references.length === 0 ? [] : await selectBearers(db, applicationId, [...new Set(references)]);
  return new Map(
    [...Map.groupBy(bearers, ({ reference }) => reference)].flatMap(([reference, [bearer, another]]) =>
      bearer !== undefined && another === undefined ? [[reference, bearer.id] as const] : [],
    ),
  );
}

/** One transaction as one of its applications sees it. */
export async function viewOf(
  db: Executor,
  applicationId: string,
  transaction: TagTransaction,
): Promise<TransactionView> {
  const [view] = await seenBy(db, applicationId, [transaction]);
  return view ?? { ...transaction, webhooks: [] };
}

function toRecord(
  { event, body: _body, ...delivery }: ToldDelivery,
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

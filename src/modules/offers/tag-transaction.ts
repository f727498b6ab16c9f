import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { payTagApplicationId } from '#modules/clients';
import { asMinor, type Currency, type Minor, toMajor } from '#modules/ledger';
import { emit } from '#modules/outbox';
import { selectById, type TagTransactionParts } from './store.ts';
import type { TagTransactionStatus } from './tables.ts';

/** A transaction between two tags, as its two applications may see it. Amounts are minor units. */
export interface TagTransaction {
  id: string;
  /** Chosen by the sender. */
  reference: string;
  senderTag: string;
  senderAppId: string;
  senderAppName: string;
  receiverTag: string;
  receiverAppId: string;
  receiverAppName: string;
  amount: Minor;
  /** On top of the amount, paid by the sender. */
  fee: Minor;
  currency: Currency;
  status: TagTransactionStatus;
  narration: string | undefined;
  expiresAt: Date;
  acceptedAt: Date | undefined;
  rejectedAt: Date | undefined;
  rejectionReason: string | undefined;
  /** The code of the refusal that it was declined with. */
  failureReason: string | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** An existing transaction, as it is now. */
export async function readTagTransaction(db: Executor, id: string, now: Date): Promise<TagTransaction> {
  const found = await selectById(db, { id });
  if (found === undefined) throw new Error(`there is no transaction ${id}`);
  return toTagTransaction(found, now);
}

/** Whether a transaction settles at once: customers do not answer offers. */
export const isPaidAtOnce = ({ receiverAppId }: Pick<TagTransaction, 'receiverAppId'>): boolean =>
  receiverAppId === payTagApplicationId;

/** The transaction as it was when it had just been created, whatever its status now. */
export function asInitiated({ row, ...names }: TagTransactionParts): TagTransaction {
  const { createdAt } = row;
  const outcome = isPaidAtOnce(row)
    ? { status: 'ACCEPTED' as const, acceptedAt: createdAt }
    : { status: 'AWAITING_ACCEPTANCE' as const, acceptedAt: null };
  const then = { ...row, ...outcome, rejectedAt: null, rejectionReason: null, updatedAt: createdAt };
  return toTagTransaction({ ...names, row: then }, createdAt);
}

/** A row as a transaction. An overdue one is EXPIRED, even before it is marked. */
export function toTagTransaction(
  { row, senderAppName, receiverAppName }: TagTransactionParts,
  now: Date,
): TagTransaction {
  return {
    id: row.id,
    reference: row.reference,
    senderTag: row.senderTag,
    senderAppId: row.senderAppId,
    senderAppName,
    receiverTag: row.receiverTag,
    receiverAppId: row.receiverAppId,
    receiverAppName,
    amount: asMinor(row.amount),
    fee: asMinor(row.fee),
    currency: row.currency,
    status: isOverdue(row, now) ? 'EXPIRED' : row.status,
    narration: row.narration ?? undefined,
    expiresAt: row.expiresAt,
    acceptedAt: row.acceptedAt ?? undefined,
    rejectedAt: row.rejectedAt ?? undefined,
    rejectionReason: row.rejectionReason ?? undefined,
    failureReason: row.code ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const isOverdue = ({ status, expiresAt }: TagTransactionParts['row'], now: Date): boolean =>
  status === 'AWAITING_ACCEPTANCE' && expiresAt <= now;

/** A tag transaction in answers: amounts in major units. Members without a value are left out of the JSON. */
export const tagTransactionData = (transaction: TagTransaction) => ({
  id: transaction.id,
  reference: transaction.reference,
  senderTag: transaction.senderTag,
  senderAppName: transaction.senderAppName,
  senderAppId: transaction.senderAppId,
  receiverTag: transaction.receiverTag,
  receiverAppName: transaction.receiverAppName,
  receiverAppId: transaction.receiverAppId,
  amount: toMajor(transaction.amount),
  currency: transaction.currency,
  status: transaction.status,
  narration: transaction.narration,
  expiresAt: transaction.expiresAt.toISOString(),
  acceptedAt: transaction.acceptedAt?.toISOString(),
  rejectedAt: transaction.rejectedAt?.toISOString(),
  rejectionReason: transaction.rejectionReason,
  createdAt: transaction.createdAt.toISOString(),
  updatedAt: transaction.updatedAt.toISOString(),
  fee: toMajor(transaction.fee),
});

/**
 * The same in events, with all members of a Switch transaction: a text without a value is empty, a date without one is left out.
 * An event precedes its deliveries, so it lists none.
 */
function eventData(transaction: TagTransaction) {
  const data = tagTransactionData(transaction);
  const { narration = '', rejectionReason = '' } = data;
  return { ...data, narration, rejectionReason, webhooks: [] };
}

/** The sides that get an event: the one that did not cause it, or both for an expiry. */
export const recipients = {
  TRANSACTION_INITIATED: ['receiverAppId'],
  TRANSACTION_ACCEPTED: ['senderAppId'],
  TRANSACTION_REJECTED: ['senderAppId'],
  TRANSACTION_CANCELLED: ['receiverAppId'],
  TRANSACTION_EXPIRED: ['senderAppId', 'receiverAppId'],
} as const satisfies Record<string, readonly ('senderAppId' | 'receiverAppId')[]>;

export type TagTransactionEvent = keyof typeof recipients;

/** The body of an event, which is signed and sent. */
export const eventBody = (event: TagTransactionEvent, transaction: TagTransaction): string =>
  JSON.stringify({ event, reference: transaction.reference, data: eventData(transaction) });

/** Publishes an event of a transaction, in the database transaction that causes it. */
export async function publish(tx: Tx, event: TagTransactionEvent, transaction: TagTransaction): Promise<void> {
  const { reference } = transaction;
  const body = eventBody(event, transaction);
  for (const ownerId of new Set(recipients[event].map((side) => transaction[side]))) {
    await emit(tx, { ownerId, event, reference, subjectId: transaction.id, body });
  }
}

import type { Executor } from '#lib/postgres/executor.ts';
import { payTagApplicationId } from '#modules/clients';
import { asMinor, type Currency, type Minor } from '#modules/ledger';
import { selectById, type TagTransactionParts } from './store.ts';
import type { TagTransactionStatus } from './tag-transaction-status.ts';

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

/** A transaction that exists, as it is now. */
export async function readTagTransaction(db: Executor, id: string, now: Date): Promise<TagTransaction> {
  const found = await selectById(db, { id });
  if (found === undefined) throw new Error(`there is no transaction ${id}`);
  return toTagTransaction(found, now);
}

/** Whether a transaction was settled when it was made: customers do not answer offers. */
export const isPaidAtOnce = ({ receiverAppId }: Pick<TagTransaction, 'receiverAppId'>): boolean =>
  receiverAppId === payTagApplicationId;

/** A row as the transaction that it was when it had just been made, whatever has become of it. */
export function asInitiated({ row, ...names }: TagTransactionParts): TagTransaction {
  const { createdAt } = row;
  const outcome = isPaidAtOnce(row)
    ? { status: 'ACCEPTED' as const, acceptedAt: createdAt }
    : { status: 'AWAITING_ACCEPTANCE' as const, acceptedAt: null };
  const then = { ...row, ...outcome, rejectedAt: null, rejectionReason: null, updatedAt: createdAt };
  return toTagTransaction({ ...names, row: then }, createdAt);
}

/** A row as a transaction. One whose time to decide has expired is EXPIRED, marked so or not. */
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

import { asMinor, type Currency, type Minor } from '#modules/ledger';
import type { TransactionParts } from './store.ts';
import type { TransactionStatus } from './transaction-status.ts';

/** A transaction as its two applications may see it. Amounts are minor units. */
export interface SwitchTransaction {
  id: string;
  /** The sender's own name for it. */
  reference: string;
  senderTag: string;
  senderAppId: string;
  senderAppName: string;
  receiverTag: string;
  receiverAppId: string;
  receiverAppName: string;
  amount: Minor;
  /** On top of the amount, borne by the sender. */
  fee: Minor;
  currency: Currency;
  status: TransactionStatus;
  narration: string | undefined;
  expiresAt: Date;
  acceptedAt: Date | undefined;
  rejectedAt: Date | undefined;
  rejectionReason: string | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** One whose time is over counts as expired, though nobody has marked it yet. */
export function toTransaction({ transaction: row, ...names }: TransactionParts, now: Date): SwitchTransaction {
  return {
    ...names,
    id: row.id,
    reference: row.reference,
    senderTag: row.senderTag,
    senderAppId: row.senderAppId,
    receiverTag: row.receiverTag,
    receiverAppId: row.receiverAppId,
    amount: asMinor(row.amount),
    fee: asMinor(row.fee),
    currency: row.currency,
    status: isOverdue(row, now) ? 'EXPIRED' : row.status,
    narration: row.narration ?? undefined,
    expiresAt: row.expiresAt,
    acceptedAt: row.acceptedAt ?? undefined,
    rejectedAt: row.rejectedAt ?? undefined,
    rejectionReason: row.rejectionReason ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const isOverdue = ({ status, expiresAt }: TransactionParts['transaction'], now: Date): boolean =>
  status === 'AWAITING_ACCEPTANCE' && expiresAt <= now;

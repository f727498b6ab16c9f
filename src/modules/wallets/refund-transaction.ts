import type { Database } from '#lib/database.ts';
import type { Minor, Poster, TransactionType } from '#modules/ledger';
import { readTransaction, requireTransaction } from './get-transaction.ts';
import { refundPosting } from './refund-posting.ts';
import { type Transaction, toTransaction } from './transaction.ts';

/** What a partner may give back by itself. */
const refundable: ReadonlySet<TransactionType> = new Set([
  'PARTNER_WALLET_CREDIT',
  'PARTNER_WALLET_DEBIT',
  'PARTNER_GATEWAY',
  'PARTNER_TERMINAL',
]);

export interface PartnerRefund {
  partnerId: string;
  /** The reference of the transaction that is refunded. */
  original: string;
  /** The refund's own, unique among the partner's for ever. */
  reference: string;
  /** Absent: all that is left of the original. */
  amount?: Minor | undefined;
  comment?: string | undefined;
}

/**
 * Gives back a transaction of a partner, whole or in part, and again until all of it is given back. A refund to a wallet
 * that takes nothing in now is Pending until it does.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, TRANSACTION_NOT_REFUNDABLE, REFUND_EXCEEDS, REFERENCE_REUSED, and what the
 *   ledger refuses a posting for
 */
export async function refundTransaction(
  { db, poster }: { db: Database; poster: Poster },
  { partnerId, original: originalReference, ...refund }: PartnerRefund,
): Promise<Transaction> {
  const original = await requireTransaction(db, { partnerId, reference: originalReference });
  const names = { owner: partnerId, partner: partnerId };
  const { id } = await poster.post(refundPosting(original.transaction, { ...refund, ...names }, refundable));
  return toTransaction(await readTransaction(db, { partnerId, id }), partnerId);
}

import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { assertPosted, type Minor, negated, OPERATOR, type TransactionType, tryPost } from '#modules/ledger';
import { readTransaction, requireTransaction } from './get-transaction.ts';
import { refundPosting } from './refund-posting.ts';
import { type Transaction, toTransaction } from './transaction.ts';

/** What the operator may give back: also what customers moved and what came in by account number. */
const refundable: ReadonlySet<TransactionType> = new Set([
  'PARTNER_WALLET_CREDIT',
  'PARTNER_WALLET_DEBIT',
  'PARTNER_GATEWAY',
  'PARTNER_TERMINAL',
  'TRANSFER',
  'INBOUND',
]);

export interface OperatorRefund {
  actor: string;
  /** The partner that knows the transaction by the reference `original`. */
  partnerId: string;
  original: string;
  /** Unique among the operator's references, for ever. */
  reference: string;
  /** Absent: all that is left of the original. */
  amount?: Minor | undefined;
  comment?: string | undefined;
  reason: string;
}

/** As `refundTransaction`, by decision of the operator. */
export async function refundForOperator(
  { transact, db }: { db: Database; transact: Transact },
  { actor, partnerId, original: originalReference, reason, ...refund }: OperatorRefund,
): Promise<Transaction> {
  const { transaction } = await requireTransaction(db, { partnerId, reference: originalReference });
  const names = { owner: OPERATOR, partner: transaction.partnerId ?? partnerId };
  const posting = refundPosting(transaction, { ...refund, ...names }, refundable);
  const outcome = await transact(async (tx) => {
    const tried = await tryPost(tx, posting);
    if (!('refusal' in tried) && !tried.replayed) {
      const amount = String(negated(tried.entries[0]?.amount ?? posting.amount)); // the first leg takes it back
      const after = { partnerId, amount, reference: refund.reference, status: tried.status };
      await recordChange(tx, { actor, action: 'transaction.refund', target: originalReference, after, reason });
    }
    return tried;
  });
  const { id } = assertPosted(outcome);
  return toTransaction(await readTransaction(db, { partnerId, id }), partnerId);
}

import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  assertPosted,
  type Minor,
  negated,
  type Poster,
  type Posting,
  type PostingResult,
  settledAccountOf,
  systemAccount,
  type TransactionType,
  type TransactionWithEntry,
} from '#modules/ledger';
import { readAsPosted, requireTransaction, transactionOf, type WalletTransaction } from './wallet-transaction.ts';

export interface Refund {
  /** The partner that knows the transaction by the reference `original`. */
  partnerId: string;
  original: string;
  /** The refund's own, unique for ever among the partner's references, or among the operator's for this partner. */
  reference: string;
  /** Absent: all that is left of the original. */
  amount?: Minor | undefined;
  comment?: string | undefined;
}

export interface OperatorRefund extends Refund {
  actor: string;
  reason: string;
}

/** The types that a partner may refund. */
const refundableByPartner: ReadonlySet<TransactionType> = new Set([
  'PARTNER_WALLET_CREDIT',
  'PARTNER_WALLET_DEBIT',
  'PARTNER_GATEWAY',
  'PARTNER_TERMINAL',
]);

/** The operator may also refund what customers moved and what came in by account number. */
const refundableByOperator: ReadonlySet<TransactionType> = new Set([...refundableByPartner, 'TRANSFER', 'INBOUND']);

/**
 * Refunds a transaction of a partner, in full or in part, and again until all of it is given back. A refund to a wallet that
 * takes nothing in now is Pending until it does.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, TRANSACTION_NOT_REFUNDABLE, REFUND_EXCEEDS, REFERENCE_REUSED, and what the
 *   ledger refuses a posting for
 */
export async function refundTransaction(
  { db, poster }: { db: Database; poster: Poster },
  refund: Refund,
): Promise<WalletTransaction> {
  const { partnerId } = refund;
  const { transaction, entry } = await requireTransaction(db, { partnerId, reference: refund.original });
  const posting = refundPosting(transaction, refund, {
    from: await holderOf(db, transaction),
    owner: partnerId,
    namer: 'PARTNER',
    partner: partnerId,
    refundable: refundableByPartner,
  });
  const posted = await poster.post(posting);
  if (posted.replayed || posted.status === 'Pending') return readAsPosted(db, partnerId, posted);
  const [taken] = posted.entries; // what was left of the original then: the first leg takes it back
  const amount = negated(taken?.amount ?? posting.amount);
  return transactionOf(posted, { ...posting, amount }, entry?.accountId);
}

/**
 * What a refund without an amount gives back at most: all that the transaction moved which the refund would find.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND
 */
export async function amountToRefund(
  { db }: { db: Database },
  { partnerId, original }: Pick<Refund, 'partnerId' | 'original'>,
): Promise<Minor> {
  const { transaction } = await requireTransaction(db, { partnerId, reference: original });
  return asMinor(transaction.amount);
}

/** Whether what a transaction of this type moved can be given back. */
export const isRefundable = (type: TransactionType): boolean => refundableByOperator.has(type);

/** Does what `refundTransaction` does, by decision of the operator. Audited. */
export async function refundForOperator(
  deps: { db: Database; transact: Transact; poster: Poster },
  refund: OperatorRefund,
): Promise<WalletTransaction> {
  const { partnerId, original } = refund;
  const { transaction } = await requireTransaction(deps.db, { partnerId, reference: original });
  const result = await deps.transact((tx) => refundWithin(tx, deps, transaction, refund));
  return readAsPosted(deps.db, partnerId, assertPosted(result));
}

/** The same in a transaction of the caller's, of a transaction that it has read. A refusal is returned, so that it can be committed. */
export async function refundWithin(
  tx: Tx,
  { poster }: { poster: Poster },
  transaction: Original,
  { actor, reason, ...refund }: OperatorRefund,
): Promise<PostingResult> {
  const { partnerId, original, reference } = refund;
  const posting = refundPosting(transaction, refund, {
    from: await holderOf(tx, transaction),
    owner: partnerId,
    namer: 'OPERATOR',
    partner: transaction.partnerId ?? partnerId,
    refundable: refundableByOperator,
  });
  const tried = await poster.tryPost(tx, posting);
  if (!('refusal' in tried) && !tried.replayed) {
    const amount = String(negated(tried.entries[0]?.amount ?? posting.amount)); // the first leg takes it back
    const after = { partnerId, amount, reference, status: tried.status };
    await recordChange(tx, { actor, action: 'transaction.refund', target: original, after, reason });
  }
  return tried;
}

type Original = TransactionWithEntry['transaction'];

/** The account that a transaction's money reached: of what had waited, perhaps another one than it was meant for. */
async function holderOf(db: Executor, { id, destinationId, pendingReason, status }: Original): Promise<number> {
  if (destinationId === null) throw new Error(`transaction ${id} has no way back`);
  return pendingReason === null || status === 'Pending' ? destinationId : settledAccountOf(db, id);
}

/**
 * The posting that gives back what a transaction moved, from where it went to where it came from. Fees are not given back. A
 * type that is not refundable is refused by the posting, so that its reference stays refused.
 */
function refundPosting(
  original: Original,
  { original: named, reference, amount: asked, comment }: Refund,
  by: {
    from: number;
    owner: string;
    namer: 'PARTNER' | 'OPERATOR';
    partner: string;
    refundable: ReadonlySet<TransactionType>;
  },
): Posting {
  const { id, sourceId, currency } = original;
  if (sourceId === null) throw new Error(`transaction ${id} has no way back`);
  const amount = asked ?? remainderOf(original);
  return {
    owner: by.owner,
    namer: by.namer,
    reference,
    partner: by.partner,
    type: 'PARTNER_REFUND',
    amount,
    currency,
    source: by.from,
    destination: sourceId,
    externalReference: original.reference,
    comment,
    legs: [
      { account: by.from, amount: negated(amount) },
      { account: sourceId, amount },
    ],
    original: id,
    ...(asked === undefined ? { refundsRemainder: true } : {}),
    suspenseAccount: systemAccount('SUSPENSE', currency),
    predecidedRefusal: by.refundable.has(original.type) ? undefined : 'TRANSACTION_NOT_REFUNDABLE',
    request: { type: 'PARTNER_REFUND', refundOf: named, amount: asked ?? 'all', comment },
  };
}

/** What is left to refund; of a transaction that is refunded in full, the whole amount, so that the ledger refuses it. */
const remainderOf = ({ amount, refunded }: Original): Minor => asMinor(refunded < amount ? amount - refunded : amount);

import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  assertPosted,
  findReversalOf,
  findTransactionsNamed,
  lockTransaction,
  type Minor,
  type NamedTransaction,
  type Poster,
  type PostingResult,
  reversalPosting,
  reversingLegs,
  systemAccount,
  type TransactionRow,
} from '#modules/ledger';
import { readAsPosted, type WalletTransaction } from '#modules/wallets';

export interface Reversal {
  actor: string;
  original: NamedTransaction;
  /** The reversal's own, unique for ever among the operator's references for the original's owner. */
  reference: string;
  comment?: string | undefined;
  reason: string;
}

/**
 * Undoes a transaction of any type, whole and once: every entry, charges included. Money for a wallet that cannot be credited goes
 * to suspense. Audited.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND; INVALID_PARAMETER when several have this reference; TRANSACTION_NOT_REVERSIBLE
 *   for one that failed, that was refunded in part, or that itself reversed money out of suspense; INSUFFICIENT_FUNDS where the
 *   money is gone; REFERENCE_REUSED, and the ledger's other refusals
 */
export async function reverseTransaction(
  { transact, db, poster }: { transact: Transact; db: Database; poster: Poster },
  { original: named, ...reversal }: Reversal,
): Promise<WalletTransaction> {
  const { id } = await findOriginal(db, named, reversal.reference);
  const { original, result } = await transact(async (tx) => {
    const locked = await lockTransaction(tx, id);
    if (locked === undefined) throw notFound();
    return { original: locked, result: await postReversal(tx, poster, locked, reversal) };
  });
  return readAsPosted(db, ownerOf(original), assertPosted(result));
}

/**
 * The amount that a reversal would undo.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND; INVALID_PARAMETER when several have this reference
 */
export async function amountToReverse(
  { db }: { db: Database },
  { original, reference }: Pick<Reversal, 'original' | 'reference'>,
): Promise<Minor> {
  return asMinor((await findOriginal(db, original, reference)).amount);
}

/** Posts the reversal of a transaction that the caller has locked. A refusal is returned, so that it can be committed. */
export async function postReversal(
  tx: Tx,
  poster: Poster,
  original: TransactionRow,
  { actor, reference, comment, reason }: Omit<Reversal, 'original'>,
): Promise<PostingResult> {
  const { amount, currency } = original;
  const legs = await reversingLegs(tx, original.id);
  const suspense = systemAccount('SUSPENSE', currency);
  // A reversal out of suspense: its money put back there would belong to no transaction.
  const tookFromSuspense = legs.some(({ account, amount: given }) => account === suspense && given > 0n);
  // A payout's money is at the bank: only its rail decides whether it came back.
  const isOfPayout = original.type === 'PAYOUT' || (original.type === 'REVERSAL' && original.namer === 'RAIL');
  const isRefused = tookFromSuspense || isOfPayout;
  const owner = ownerOf(original);
  const predecidedRefusal = isRefused ? 'TRANSACTION_NOT_REVERSIBLE' : undefined;
  const named = { owner, namer: 'OPERATOR', reference, comment, predecidedRefusal } as const;
  const result = await poster.tryPost(tx, reversalPosting(original, legs, named));
  if (!('refusal' in result) && !result.replayed) {
    const after = { type: original.type, amount: String(amount), currency, reference, status: result.status };
    const before = { status: original.status };
    await recordChange(tx, { actor, action: 'transaction.reverse', target: original.reference, before, after, reason });
  }
  return result;
}

/** The owner of the reversal's reference. */
const ownerOf = ({ partnerId, ownerId }: TransactionRow): string => partnerId ?? ownerId;

/** The error for a transaction that does not exist. */
export const notFound = () => new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');

/**
 * The transaction of a reference: the one that this reversal has reversed already; otherwise the only one that moved money, and no
 * reversal where there is anything else.
 */
async function findOriginal(db: Database, named: NamedTransaction, reversal: string): Promise<TransactionRow> {
  const found = await findTransactionsNamed(db, named);
  for (const one of found) if ((await findReversalOf(db, one.id))?.reference === reversal) return one;
  const preferred = [
    found.filter(({ status, type }) => status !== 'Failed' && type !== 'REVERSAL'),
    found.filter(({ status }) => status !== 'Failed'),
    found,
  ].find((some) => some.length > 0);
  const [one, ...others] = preferred ?? [];
  if (one === undefined) throw notFound();
  if (others.length === 0) return one;
  const ids = [one, ...others].map(({ id }) => id).join(', ');
  throw new DomainError('INVALID_PARAMETER', `id: several transactions have this reference: name one of ${ids}`);
}

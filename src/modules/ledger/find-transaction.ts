import { and, eq, exists, isNotNull, notInArray, or, type SQL, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import type { EntryRow, TransactionRow } from './history.ts';
import type { TransactionType } from './posting.ts';
import { account, entry, transaction } from './tables.ts';

/** A transaction, and what it did to a wallet of the partner that looks at it, where it moved one. */
export interface TransactionWithEntry {
  transaction: TransactionRow;
  entry: EntryRow | null;
}

/** Between a partner's float and us: no partner sees them as transactions. */
const OURS_ALONE: TransactionType[] = ['FLOAT_FUNDING', 'FLOAT_SETTLEMENT'];

/**
 * The transaction that a partner knows by this reference: one that it named, else one with a reference of ours that
 * stands in its book or moved one of its wallets.
 */
export async function findPartnerTransaction(
  db: Executor,
  { partner, reference }: { partner: string; reference: string },
): Promise<TransactionWithEntry | undefined> {
  const named = and(eq(transaction.ownerId, partner), eq(transaction.reference, reference));
  return (await findSeen(db, partner, named)) ?? findSeen(db, partner, oursOf(partner, reference));
}

const oursOf = (partner: string, reference: string): SQL | undefined =>
  and(
    eq(transaction.reference, reference),
    sql`${transaction.ownerId} is distinct from ${transaction.partnerId}`,
    notInArray(transaction.type, OURS_ALONE),
    or(eq(transaction.partnerId, partner), isNotNull(entry.accountId)),
  );

/** The transaction of this id, as a partner sees it. */
export async function findPartnerTransactionById(
  db: Executor,
  { partner, id }: { partner: string; id: number },
): Promise<TransactionWithEntry | undefined> {
  return findSeen(db, partner, eq(transaction.id, id));
}

/** Of two wallets of the partner, the one the money left. */
async function findSeen(
  db: Executor,
  partner: string,
  condition: SQL | undefined,
): Promise<TransactionWithEntry | undefined> {
  const wallets = db
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.id, entry.accountId), eq(account.partnerId, partner), eq(account.kind, 'WALLET')));
  const [found] = await db
    .select({ transaction, entry })
    .from(transaction)
    .leftJoin(entry, and(eq(entry.transactionId, transaction.id), exists(wallets)))
    .where(condition)
    .orderBy(transaction.id, entry.leg)
    .limit(1);
  return found;
}

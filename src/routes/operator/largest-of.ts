import type { Database } from '#lib/database.ts';
import type { Minor } from '#lib/minor-units.ts';
import { findTransactions, type TransactionQuery } from '#modules/payments';

/** The largest amount that was moved under a reference, where the request itself names none: it may wait for approval. */
export async function largestOf({ db }: { db: Database }, query: TransactionQuery): Promise<Minor | undefined> {
  const { items } = await findTransactions(db, { ...query, limit: 100, offset: 0 });
  return items
    .map(({ amount }) => amount)
    .reduce<Minor | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}

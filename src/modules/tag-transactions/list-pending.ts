import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { type PageRequest, selectPending } from './pending-store.ts';
import { toTagTransaction } from './tag-transaction.ts';
import { type TransactionView, viewsOf } from './webhook-record.ts';

/** A page of the transactions that wait for an application's decision and have not expired. `total` is of all pages. */
export async function listPending(
  { db, clock }: { db: Database; clock: Clock },
  applicationId: string,
  page: PageRequest,
): Promise<{ items: TransactionView[]; total: number }> {
  const now = clock.now();
  const { items, total } = await selectPending(db, applicationId, page, now);
  const transactions = items.map((parts) => toTagTransaction(parts, now));
  return { items: await viewsOf(db, applicationId, transactions), total };
}

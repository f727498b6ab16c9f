import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { type PageRequest, selectNewestPending, selectPending } from './pending-store.ts';
import { toTagTransaction } from './tag-transaction.ts';
import { type TransactionView, viewsOf } from './webhook-record.ts';

/** So many are passed over without asking how long it takes. */
const QUICK_MAX = 2_000;

/** A page of the transactions that wait for an application's decision and have not expired. `total` is of all pages. */
export async function listPending(
  { db, readLong, clock }: { db: Database; readLong: ReadLong; clock: Clock },
  applicationId: string,
  page: PageRequest,
): Promise<{ items: TransactionView[]; total: number }> {
  const now = clock.now();
  const { items, total } =
    (isNewestFirst(page) ? await selectNewestPending(db, applicationId, page, now) : undefined) ??
    (await readLong(`application:${applicationId}`, async (long) => selectPending(long, applicationId, page, now)));
  const transactions = items.map((parts) => toTagTransaction(parts, now));
  return { items: await viewsOf(db, applicationId, transactions), total };
}

/** As it is asked for most: read at once. */
const isNewestFirst = ({ page, size, sort: [first, ...others] }: PageRequest): boolean =>
  others.length === 0 && first?.property === 'createdAt' && first.isDescending && page * size <= QUICK_MAX;

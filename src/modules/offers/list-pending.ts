import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { countPending, hasMany, turnsOf } from './count-pending.ts';
import {
  COUNTED_WITH_PAGE_MAX,
  type Order,
  type PageRequest,
  SORTED_MAX,
  selectByTime,
  selectNewestPending,
  selectSorted,
  type TimeOrder,
  type Waiting,
} from './pending-store.ts';
import { toTagTransaction } from './tag-transaction.ts';
import { type TransactionView, viewsOf } from './webhook-record.ts';

/** So many are passed over without asking how long it takes. */
const QUICK_MAX = 2_000;

type Deps = { db: Database; readLong: ReadLong; clock: Clock };

/**
 * A page of the transactions that wait for an application's decision and have not expired. `total` is of all pages.
 *
 * @throws DomainError INVALID_PARAMETER when more wait than are sorted by anything but time
 */
export async function listPending(
  deps: Deps,
  applicationId: string,
  page: PageRequest,
): Promise<{ items: TransactionView[]; total: number }> {
  const now = deps.clock.now();
  const time = timeOrderOf(page.sort);
  const { items, total } =
    time === undefined
      ? await sortedPage(deps, applicationId, page, now)
      : await pageByTime(deps, applicationId, { ...page, ...time }, now);
  const transactions = items.map((parts) => toTagTransaction(parts, now));
  return { items: await viewsOf(deps.db, applicationId, transactions), total };
}

/** By createdAt, then by id. Undefined for another order. */
function timeOrderOf([first, ...others]: readonly Order[]): TimeOrder | undefined {
  if (first?.property !== 'createdAt' || others.some(({ property }) => property !== 'id')) return undefined;
  const { isDescending } = first;
  return { isDescending, isIdDescending: others[0]?.isDescending ?? isDescending };
}

async function pageByTime(
  deps: Deps,
  applicationId: string,
  page: Omit<PageRequest, 'sort'> & TimeOrder,
  now: Date,
): Promise<Waiting> {
  const inTurn = async <Result>(read: (long: Database) => Promise<Result>) =>
    deps.readLong(turnsOf(applicationId), read);
  if (!page.isDescending || !page.isIdDescending) {
    const items = await inTurn(async (long) => selectByTime(long, applicationId, page, now));
    return { items, total: await countPending(deps, applicationId) };
  }
  const readNewest = async (db: Database) => selectNewestPending(db, applicationId, page, now);
  const isQuick = page.page * page.size <= QUICK_MAX && !hasMany(deps, applicationId);
  const newest = isQuick ? await readNewest(deps.db) : await inTurn(readNewest);
  if (newest !== undefined && newest.total <= COUNTED_WITH_PAGE_MAX) return newest;
  return { items: newest?.items ?? [], total: await countPending(deps, applicationId) };
}

async function sortedPage({ readLong }: Deps, applicationId: string, page: PageRequest, now: Date): Promise<Waiting> {
  const found = await readLong(turnsOf(applicationId), async (long) => selectSorted(long, applicationId, page, now));
  if (found !== undefined) return found;
  throw new DomainError(
    'INVALID_PARAMETER',
    `sort: more than ${SORTED_MAX.toLocaleString('en')} transactions wait; so many are sorted by createdAt, and then by id, alone`,
  );
}

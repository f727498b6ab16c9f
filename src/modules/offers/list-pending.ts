import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { gather } from '#lib/postgres/gathered-reads.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { type TransactionView, viewsOf } from './get-transaction.ts';
import {
  COUNTED_WITH_PAGE_MAX,
  type Order,
  type PageRequest,
  type PendingPage,
  SORTED_MAX,
  selectByTime,
  selectNewestPending,
  selectPendingCount,
  selectSorted,
  type TimeOrder,
} from './pending-store.ts';
import { toTagTransaction } from './tag-transaction.ts';

type Deps = { db: Database; readLong: ReadLong; clock: Clock };

/**
 * A page of an application's pending, unexpired transactions. `total` is of all pages.
 *
 * @throws DomainError INVALID_PARAMETER for another order than by time when there are too many to sort
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

/** The largest offset of a quick read. */
const QUICK_MAX = 2_000;

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
): Promise<PendingPage> {
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

async function sortedPage(
  { readLong }: Deps,
  applicationId: string,
  page: PageRequest,
  now: Date,
): Promise<PendingPage> {
  const found = await readLong(turnsOf(applicationId), async (long) => selectSorted(long, applicationId, page, now));
  if (found !== undefined) return found;
  throw new DomainError(
    'INVALID_PARAMETER',
    `sort: more than ${SORTED_MAX.toLocaleString('en')} transactions are pending: they can be sorted by createdAt, and then by id, alone`,
  );
}

interface Counter {
  /** By application: one count at a time, shared by concurrent callers. */
  readonly counts: Map<string, () => Promise<number>>;
  /** Applications with more than COUNTED_WITH_PAGE_MAX pending transactions at their last count. */
  readonly withMany: Set<string>;
}

const counters = new WeakMap<ReadLong, Counter>();

/** The queue of an application's long reads. */
const turnsOf = (applicationId: string): string => `application:${applicationId}`;

type CountDeps = Pick<Deps, 'readLong' | 'clock'>;

function counterOf({ readLong }: CountDeps): Counter {
  const counter = counters.get(readLong) ?? { counts: new Map(), withMany: new Set() };
  counters.set(readLong, counter);
  return counter;
}

/**
 * The exact number of an application's pending, unexpired transactions. A large count takes long, so concurrent callers share one,
 * on a connection for long reads.
 */
function countPending(deps: CountDeps, applicationId: string): Promise<number> {
  const { counts, withMany } = counterOf(deps);
  const count =
    counts.get(applicationId) ??
    gather<void, number>(async (asked) => {
      const counted = await deps.readLong(turnsOf(applicationId), (long) =>
        selectPendingCount(long, { receiverAppId: applicationId, now: deps.clock.now() }),
      );
      if (counted > COUNTED_WITH_PAGE_MAX) withMany.add(applicationId);
      else withMany.delete(applicationId);
      return asked.map(() => counted);
    }, 1);
  counts.set(applicationId, count);
  return count();
}

/**
 * Whether an application had very many pending transactions at its last count. Then its pages are long reads, in turn: twenty
 * concurrent pages with counts delayed credits.
 */
const hasMany = (deps: CountDeps, applicationId: string): boolean => counterOf(deps).withMany.has(applicationId);

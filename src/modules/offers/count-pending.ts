import type { Clock } from '#lib/clock.ts';
import { gather } from '#lib/postgres/gathered-reads.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { COUNTED_WITH_PAGE_MAX, selectPendingCount } from './pending-store.ts';

interface Counter {
  /** By application: it is counted once at a time, for all who ask meanwhile. */
  readonly counts: Map<string, () => Promise<number>>;
  /** Those for which more than COUNTED_WITH_PAGE_MAX waited when they were last counted. */
  readonly withMany: Set<string>;
}

const counters = new WeakMap<ReadLong, Counter>();

/** The turns in which lists of an application are read. */
export const turnsOf = (applicationId: string): string => `application:${applicationId}`;

type Deps = { readLong: ReadLong; clock: Clock };

function counterOf({ readLong }: Deps): Counter {
  const counter = counters.get(readLong) ?? { counts: new Map(), withMany: new Set() };
  counters.set(readLong, counter);
  return counter;
}

/**
 * How many transactions wait for an application and have not expired, exactly. Counting very many takes long: those who ask at the
 * same moment have them counted once, and on a connection that nothing else waits for.
 */
export function countPending(deps: Deps, applicationId: string): Promise<number> {
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
 * Whether very many waited for an application when they were last counted. Its pages are listed among the long reads, in their turn:
 * twenty callers whose pages came with each count kept credits waiting.
 */
export const hasMany = (deps: Deps, applicationId: string): boolean => counterOf(deps).withMany.has(applicationId);

import type { Clock } from '#lib/clock.ts';
import { createJoinedReads } from '#lib/postgres/gathered-reads.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { COUNTED_WITH_PAGE_MAX, selectPendingCount } from './pending-store.ts';

interface Counter {
  count(applicationId: string): Promise<number>;
  /** Those for which more than COUNTED_WITH_PAGE_MAX waited when they were last counted. */
  readonly withMany: Set<string>;
}

const counters = new WeakMap<ReadLong, Counter>();

/** The turns in which lists of an application are read. */
export const turnsOf = (applicationId: string): string => `application:${applicationId}`;

type Deps = { readLong: ReadLong; clock: Clock };

function counterOf({ readLong, clock }: Deps): Counter {
  const known = counters.get(readLong);
  if (known !== undefined) return known;
  const withMany = new Set<string>();
  const count = createJoinedReads((id) =>
    readLong(turnsOf(id), async (long) => {
      const counted = await selectPendingCount(long, { receiverAppId: id, now: clock.now() });
      if (counted > COUNTED_WITH_PAGE_MAX) withMany.add(id);
      else withMany.delete(id);
      return counted;
    }),
  );
  const counter = { count, withMany };
  counters.set(readLong, counter);
  return counter;
}

/**
 * How many transactions wait for an application and have not expired, exactly. Counting very many takes long: those who ask at the
 * same moment have them counted once, and on a connection that nothing else waits for.
 */
export const countPending = (deps: Deps, applicationId: string): Promise<number> =>
  counterOf(deps).count(applicationId);

/**
 * Whether very many waited for an application when they were last counted. Its pages are listed among the long reads, in their turn:
 * twenty callers whose pages came with each count kept credits waiting.
 */
export const hasMany = (deps: Deps, applicationId: string): boolean => counterOf(deps).withMany.has(applicationId);

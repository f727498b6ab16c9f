import type { Clock } from '#lib/clock.ts';
import { createJoinedReads } from '#lib/joined-reads.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { selectPendingCount } from './pending-store.ts';

const counters = new WeakMap<ReadLong, (applicationId: string) => Promise<number>>();

/** The turns in which lists of an application are read. */
export const turnsOf = (applicationId: string): string => `application:${applicationId}`;

/**
 * How many transactions wait for an application and have not expired, exactly. Counting very many takes long: those who ask at the
 * same moment have them counted once, and on a connection that nothing else waits for.
 */
export function countPending(
  { readLong, clock }: { readLong: ReadLong; clock: Clock },
  applicationId: string,
): Promise<number> {
  let count = counters.get(readLong);
  if (count === undefined) {
    count = createJoinedReads((id) =>
      readLong(turnsOf(id), async (long) => selectPendingCount(long, { receiverAppId: id, now: clock.now() })),
    );
    counters.set(readLong, count);
  }
  return count(applicationId);
}

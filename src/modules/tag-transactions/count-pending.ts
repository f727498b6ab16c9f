import type { Clock } from '#lib/clock.ts';
import { createJoinedReads } from '#lib/joined-reads.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { selectPendingCount } from './pending-store.ts';

type Count = (applicationId: string) => Promise<number>;

const counts = new WeakMap<ReadLong, Count>();

/** The turns in which lists of an application are read. */
export const turnsOf = (applicationId: string): string => `application:${applicationId}`;

/**
 * How many transactions wait for an application and have not expired, exactly. Counting very many takes long: those who ask at the
 * same moment have them counted once, and on a connection that nothing else waits for.
 */
export async function countPending(
  { readLong, clock }: { readLong: ReadLong; clock: Clock },
  applicationId: string,
): Promise<number> {
  let count = counts.get(readLong);
  if (count === undefined) {
    count = createJoinedReads((id) =>
      readLong(turnsOf(id), async (long) => selectPendingCount(long, { receiverAppId: id, now: clock.now() })),
    );
    counts.set(readLong, count);
  }
  return count(applicationId);
}

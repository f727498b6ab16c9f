import { DAY_MS, FORGOTTEN_AT_ONCE, type Forgotten, type Store } from '#lib/room.ts';
import { type Ended, purgeDeliveries } from './purge-store.ts';

/** How far a process has looked, by the database it looked at. */
const looked: Record<Ended, WeakMap<object, { after: string; since: Date }>> = {
  DELIVERED: new WeakMap(),
  FAILED: new WeakMap(),
};

/**
 * Purges what ended so before a moment, as `purgeDeliveries` does. What may not go yet, for another endpoint's delivery of the same
 * event, is passed over: each process looks once at what it passes over, and again a day later. So nothing behind it has to wait.
 */
export async function purgeEnded({ db, transact }: Store, status: Ended, before: Date): Promise<Forgotten> {
  const last = looked[status].get(db);
  const isOfToday = last !== undefined && before.getTime() - last.since.getTime() < DAY_MS;
  const { purged, until, isAll } = await purgeDeliveries(
    { transact },
    { status, before, limit: FORGOTTEN_AT_ONCE, ...(isOfToday ? { after: last.after } : {}) },
  );
  if (until !== undefined) looked[status].set(db, { after: until, since: isOfToday ? last.since : before });
  return { rows: purged, isAll };
}

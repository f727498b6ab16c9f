import { DAY_MS, FORGOTTEN_AT_ONCE, type Forgotten, type Store } from '#lib/retention.ts';
import { purgeDeliveries } from './purge-store.ts';

/** How far a process has looked, by the database it looked at. */
const looked = new WeakMap<object, { from: Date; since: Date }>();

/**
 * Purges what was delivered before a moment, as `purgeDeliveries` does. What was delivered to one endpoint and not to another is
 * passed over, and goes with the other: so each process looks once at what it passes over, and again a day later.
 */
export async function purgeDelivered({ db, transact }: Store, before: Date): Promise<Forgotten> {
  const last = looked.get(db);
  const isOfToday = last !== undefined && before.getTime() - last.since.getTime() < DAY_MS;
  const { purged, until, isAll } = await purgeDeliveries(
    { transact },
    { status: 'DELIVERED', before, limit: FORGOTTEN_AT_ONCE, ...(isOfToday ? { from: last.from } : {}) },
  );
  if (until !== undefined) looked.set(db, { from: until, since: isOfToday ? last.since : before });
  return { rows: purged, isAll };
}

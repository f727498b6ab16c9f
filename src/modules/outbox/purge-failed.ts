import type { Transact } from '#lib/transact.ts';
import { lockPurgeable, purgeLocked } from './purge-store.ts';

/**
 * Forgets the body of up to `limit` events that failed before `before` and never were delivered, with the attempts of all
 * their deliveries; the deliveries stay as the record. What waits or is on its way is left alone.
 *
 * @returns how many
 */
export async function purgeFailedBefore(
  { transact }: { transact: Transact },
  before: Date,
  limit: number,
): Promise<number> {
  return transact(async (tx) => {
    const locked = await lockPurgeable(tx, 'FAILED', before, limit);
    return locked.length > 0 ? purgeLocked(tx, locked) : 0;
  });
}

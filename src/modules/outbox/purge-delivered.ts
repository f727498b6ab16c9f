import type { Transact } from '#lib/transact.ts';
import { lockPurgeable, purgeLocked } from './purge-store.ts';

/**
 * Forgets the body of up to `limit` events that were delivered before `before`, with the attempts of all their deliveries;
 * the deliveries stay as the record. What is on its way is left alone, and so is an event that never was delivered: it can
 * still be sent again.
 *
 * @returns how many
 */
export async function purgeDeliveredBefore(
  { transact }: { transact: Transact },
  before: Date,
  limit: number,
): Promise<number> {
  return transact(async (tx) => {
    const locked = await lockPurgeable(tx, 'DELIVERED', before, limit);
    return locked.length > 0 ? purgeLocked(tx, locked) : 0;
  });
}

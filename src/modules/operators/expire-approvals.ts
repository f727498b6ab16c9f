import type { Transact } from '#lib/postgres/transact.ts';
import { expireDue } from './approval-store.ts';

/**
 * Marks as expired what nobody approved or rejected in time, at most `limit` requests. Those that nobody marked yet count as
 * expired already. Several processes may do so at once.
 *
 * @returns how many
 */
export async function expireApprovals({ transact }: { transact: Transact }, limit: number, now: Date): Promise<number> {
  return transact(async (tx) => expireDue(tx, now, limit));
}

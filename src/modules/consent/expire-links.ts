import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { lockOverdue } from './lock-store.ts';
import { bothSides, transitionLink } from './transition-link.ts';

/**
 * Marks as expired what was not verified in time, at most `limit` links, and notifies both sides. Those that nobody marked
 * yet count as expired already wherever they are asked for. Several processes may do so at once.
 *
 * @returns how many
 */
export async function expireLinks({ transact }: { transact: Transact }, limit: number, now: Date): Promise<number> {
  return transact(async (tx) => {
    const overdue = await lockOverdue(tx, { now, limit });
    for (const id of overdue) await expireLocked(tx, id, now);
    return overdue.length;
  });
}

/** Marks a link that `lockOverdue` found as expired, and notifies both sides. */
export async function expireLocked(tx: Tx, id: string, now: Date): Promise<void> {
  await transitionLink(tx, { id, next: 'EXPIRED', now, recipients: bothSides }, () => undefined);
}

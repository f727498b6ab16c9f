import type { Clock } from '#lib/clock.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { lockOverdue, selectTransaction, updateDispute } from './store.ts';
import { tellPartner } from './tell-partner.ts';

/**
 * Marks as expired the disputes that nobody decided by their deadline, at most `limit`, and publishes it. No money moves, and
 * the lien stays until the operator decides. Several processes may do so at once.
 *
 * @returns how many
 */
export async function expireDisputes(
  { transact, clock }: { transact: Transact; clock: Clock },
  limit: number,
  now: Date,
): Promise<number> {
  return transact(async (tx) => {
    const overdue = await lockOverdue(tx, now, limit);
    for (const { id, state, transactionId } of overdue) {
      const row = await updateDispute(tx, id, { state: 'EXPIRED', expiredAt: clock.now() });
      const [before, after] = [{ state }, { state: 'EXPIRED' }];
      await recordChange(tx, { actor: 'system', action: 'dispute.expire', target: id, before, after });
      const original = await selectTransaction(tx, transactionId);
      await tellPartner(tx, 'dispute.expired', { row, original, refund: undefined });
    }
    return overdue.length;
  });
}

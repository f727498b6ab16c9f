import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { getPartner, type OperatedPartner, partnerNotFound } from './operated-partner.ts';
import { type StatusChange, statusChanges } from './partner-status.ts';
import { selectPartner, updatePartner } from './store.ts';

/**
 * Suspends a partner, or restores it. It takes effect with its next call, and with that of its customers there: whatever
 * keys and tokens they have. What rails report for it is still booked, and its events still go out. Audited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, PARTNER_STATUS_CONFLICT
 */
export async function operatePartner(
  { transact, clock }: { transact: Transact; clock: Clock },
  { id, change, actor, reason }: { id: string; change: StatusChange; actor: string; reason: string },
): Promise<OperatedPartner> {
  const { from, to } = statusChanges[change];
  return transact(async (tx) => {
    const before = await selectPartner(tx, id, 'locked');
    if (before === undefined) throw partnerNotFound();
    if (before.status !== from) {
      throw new DomainError('PARTNER_STATUS_CONFLICT', `this partner is ${before.status.toLowerCase()}`);
    }
    await updatePartner(tx, id, { status: to }, clock.now());
    await recordChange(tx, {
      actor,
      action: `partner.${change}`,
      target: id,
      before: { status: from },
      after: { status: to },
      reason,
    });
    return getPartner(tx, id);
  });
}

import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Judge } from '#lib/minor-units.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { asMinor, moneyBehind } from '#modules/ledger';
import { tellPartner } from './partner-contact.ts';
import { selectPartner, updatePartner } from './partner-store.ts';
import { getPartner, type OperatorPartnerView, partnerNotFound } from './read-partner.ts';

/** What an operator can do to a partner: from which status, and to which. */
const statusChanges = {
  suspend: { from: 'ACTIVE', to: 'SUSPENDED' },
  restore: { from: 'SUSPENDED', to: 'ACTIVE' },
} as const;

/** A restoration is judged by what is on the partner's floats and in all its wallets, and what waits for them. */
type StatusChange = { change: 'suspend' } | { change: 'restore'; judge: Judge };

/**
 * Suspends a partner, or restores it. This takes effect at once, in other processes within a second, for the partner and its customers there, whatever
 * keys and tokens they have. What rails report for a suspended partner is still booked, and its events still go out. Audited; its
 * contact is told of a restoration.
 *
 * @throws DomainError PARTNER_NOT_FOUND, PARTNER_STATUS_CONFLICT
 */
export async function changePartnerStatus(
  {
    transact,
    clock,
    keyring,
    securityLog,
  }: { transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  { id, actor, reason, ...asked }: StatusChange & { id: string; actor: string; reason: string },
): Promise<OperatorPartnerView> {
  const { change } = asked;
  const { from, to } = statusChanges[change];
  const changed = await transact(async (tx) => {
    const before = await selectPartner(tx, id, 'locked');
    if (before === undefined) throw partnerNotFound();
    if (before.status !== from) {
      throw new DomainError('PARTNER_STATUS_CONFLICT', `this partner is ${before.status.toLowerCase()}`);
    }
    if (asked.change === 'restore') {
      const behind = await moneyBehind(tx, { partnerId: id });
      asked.judge(behind && asMinor(behind.held + behind.waits));
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
    const what = 'its suspension has ended';
    if (change === 'restore') await tellPartner(tx, { keyring, clock }, id, { kind: 'MONEY_FREED', what });
    return getPartner({ db: tx, keyring }, id);
  });
  securityLog.record(change === 'suspend' ? 'partner_suspended' : 'money_freed', { partnerId: id });
  return changed;
}

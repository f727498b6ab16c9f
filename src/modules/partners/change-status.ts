import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { asMinor, floatsIfAny, type Minor } from '#modules/ledger';
import { tellPartner } from './contact.ts';
import { getPartner, type OperatorPartnerView, partnerNotFound } from './read-partner.ts';
import { selectPartner, updatePartner } from './store.ts';

/** What an operator can do to a partner: from which status, and to which. */
const statusChanges = {
  suspend: { from: 'ACTIVE', to: 'SUSPENDED' },
  restore: { from: 'SUSPENDED', to: 'ACTIVE' },
} as const;

type StatusChange = keyof typeof statusChanges;

/** What a suspended partner could spend again once it is restored: its floats. Minor units. @throws DomainError PARTNER_NOT_FOUND */
export async function freedByRestoring({ db }: { db: Executor }, id: string): Promise<Minor> {
  const floats = await floatsIfAny(db, id);
  if (floats === undefined) throw partnerNotFound();
  return asMinor(floats.reduce((sum, { amounts }) => sum + amounts.total, 0n));
}

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
  { id, change, actor, reason }: { id: string; change: StatusChange; actor: string; reason: string },
): Promise<OperatorPartnerView> {
  const { from, to } = statusChanges[change];
  const changed = await transact(async (tx) => {
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
    const what = 'its suspension has ended';
    if (change === 'restore') await tellPartner(tx, { keyring, clock }, id, { kind: 'MONEY_FREED', what });
    return getPartner({ db: tx, keyring }, id);
  });
  securityLog.record(change === 'suspend' ? 'partner_suspended' : 'money_freed', { partnerId: id });
  return changed;
}

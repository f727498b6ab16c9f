import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import {
  type ApplicationForOperator,
  applicationNotFound,
  toApplicationForOperator,
} from './application-for-operator.ts';
import { type ApplicationAction, applicationActions } from './application-status.ts';
import { selectRegistered, updateStatus } from './application-store.ts';

/**
 * The operator approves an application that waits, suspends one, or restores a suspended one. It takes effect at
 * once, in other processes within a second: no token outlives it. Audited.
 *
 * @throws DomainError APPLICATION_NOT_FOUND, APPLICATION_STATUS_CONFLICT
 */
export async function changeApplicationStatus(
  { transact, keyring, securityLog }: { transact: Transact; keyring: Keyring; securityLog: SecurityLog },
  { actor, id, action, reason }: { actor: string; id: string; action: ApplicationAction; reason?: string | undefined },
): Promise<ApplicationForOperator> {
  const { from, to } = applicationActions[action];
  const view = await transact(async (tx) => {
    const before = await selectRegistered(tx, id, 'locked');
    if (before === undefined) throw applicationNotFound();
    const changed = await updateStatus(tx, id, from, to);
    if (changed === undefined) {
      throw new DomainError('APPLICATION_STATUS_CONFLICT', `this application is ${before.status.toLowerCase()}`);
    }
    await recordChange(tx, {
      actor,
      action: `application.${action}`,
      target: id,
      before: { status: before.status },
      after: { status: to },
      reason,
    });
    return toApplicationForOperator({ db: tx, keyring }, changed);
  });
  if (action === 'suspend') securityLog.record('application_suspended', { applicationId: id });
  return view;
}

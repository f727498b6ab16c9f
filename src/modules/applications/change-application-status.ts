import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { asMinor, currencies, type Minor } from '#modules/ledger';
import { askForProof, writeLetter } from '#modules/letters';
import {
  type ApplicationForOperator,
  applicationNotFound,
  toApplicationForOperator,
} from './application-for-operator.ts';
import { type ApplicationAction, applicationActions } from './application-status.ts';
import { selectRegistered, updateStatus } from './application-store.ts';
import { addresseeOf } from './contact.ts';
import { getSettlementWallet } from './settlement-wallet.ts';

/**
 * What a suspended application could spend again once it is restored: its settlement wallets. Minor units.
 *
 * @throws DomainError APPLICATION_NOT_FOUND
 */
export async function freedByRestoring({ db }: { db: Executor }, id: string): Promise<Minor> {
  if ((await selectRegistered(db, id)) === undefined) throw applicationNotFound();
  const wallets = await Promise.all(currencies.map((currency) => getSettlementWallet(db, id, currency)));
  return asMinor(wallets.reduce((sum, { amounts }) => sum + amounts.total, 0n));
}

/**
 * The operator approves an application that waits, suspends one, or restores a suspended one. It takes effect at
 * once, in other processes within a second: no token outlives it. In live the contact of one that is approved is asked to prove
 * that the address is theirs; that of one that is restored is told. Audited.
 *
 * @throws DomainError APPLICATION_NOT_FOUND, APPLICATION_STATUS_CONFLICT
 */
export async function changeApplicationStatus(
  deps: { transact: Transact; keyring: Keyring; clock: Clock; environment: string; securityLog: SecurityLog },
  { actor, id, action, reason }: { actor: string; id: string; action: ApplicationAction; reason?: string | undefined },
): Promise<ApplicationForOperator> {
  const { transact, keyring, securityLog } = deps;
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
    const addressee = addresseeOf(keyring, before);
    if (action === 'approve' && deps.environment === 'live') await askForProof(tx, deps, addressee);
    const what = 'its suspension has ended';
    if (action === 'restore') await writeLetter(tx, deps, addressee, { kind: 'MONEY_FREED', what });
    return toApplicationForOperator({ db: tx, keyring }, changed);
  });
  if (action === 'suspend') securityLog.record('application_suspended', { applicationId: id });
  if (action === 'restore') securityLog.record('money_freed', { applicationId: id });
  return view;
}

import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Judge, Minor } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { asMinor, currencies, moneyBehind } from '#modules/ledger';
import { addresseeOf } from './application-contact.ts';
import {
  type ApplicationForOperator,
  applicationNotFound,
  toApplicationForOperator,
} from './application-for-operator.ts';
import { type ApplicationAction, applicationActions } from './application-status.ts';
import { selectRegistered, updateStatus } from './application-store.ts';
import { askForProof } from './contact-proof.ts';
import { getSettlementWallet } from './settlement-wallet.ts';
import { writeLetter } from './write-letter.ts';

/** A restoration is judged by what is in the application's settlement wallets, and what waits for them. */
type StatusChange =
  | { action: Exclude<ApplicationAction, 'restore'>; reason?: string | undefined }
  | { action: 'restore'; reason: string; judge: Judge };

/** What an application settles with, and what waits for that. */
async function settlesWith(tx: Tx, keyring: Keyring, id: string): Promise<Minor | undefined> {
  const wallets = await Promise.all(currencies.map((currency) => getSettlementWallet(tx, keyring, id, currency)));
  const behind = await moneyBehind(tx, { accounts: wallets.map((wallet) => wallet.id) });
  return behind && asMinor(behind.held + behind.waits);
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
  { actor, id, ...asked }: StatusChange & { actor: string; id: string },
): Promise<ApplicationForOperator> {
  const { action, reason } = asked;
  const { transact, keyring, securityLog } = deps;
  const { from, to } = applicationActions[action];
  const view = await transact(async (tx) => {
    const before = await selectRegistered(tx, id, 'locked');
    if (before === undefined) throw applicationNotFound();
    const changed = await updateStatus(tx, id, from, to);
    if (changed === undefined) {
      throw new DomainError('APPLICATION_STATUS_CONFLICT', `this application is ${before.status.toLowerCase()}`);
    }
    if (asked.action === 'restore') asked.judge(await settlesWith(tx, keyring, id));
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

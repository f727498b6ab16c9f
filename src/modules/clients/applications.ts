import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Judge, Minor } from '#lib/minor-units.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { asMinor, currencies, moneyBehind } from '#modules/ledger';
import { readClientIds } from '#modules/outbox';
import { type ApplicationAction, type ApplicationStatus, applicationActions } from './application-status.ts';
import {
  APPLICATION_EMAIL,
  type ApplicationRow,
  selectRegistered,
  selectRegisteredPage,
  updateStatus,
} from './application-store.ts';
import { applicationAddressee, askForProof } from './contacts.ts';
import { queueMail } from './queue-mail.ts';
import { getSettlementWallet } from './register-application.ts';

/** An application as the operator sees it. */
export interface ApplicationForOperator {
  id: string;
  name: string;
  namespace: string;
  clientId: string;
  email: string | undefined;
  imageUrl: string | undefined;
  status: ApplicationStatus;
  /** Until when the previous client secret is accepted too. */
  previousSecretUntil: Date | undefined;
  createdAt: Date;
}

type Deps = { db: Database; keyring: Keyring };

/** The 404 for an unknown application. */
export const applicationNotFound = () => new DomainError('APPLICATION_NOT_FOUND', 'there is no such application');

/** A page of the registered applications, newest first: not the built-in one. `count` is of all pages. */
export async function listApplications(
  deps: Deps,
  { status, ...page }: { status?: ApplicationStatus | undefined } & PageRequest<string>,
): Promise<Listed<ApplicationForOperator, string>> {
  const { items, ...found } = await selectRegisteredPage(deps.db, status, page);
  return { items: await toApplicationsForOperator(deps, items), ...found };
}

/** A registered application. @throws DomainError APPLICATION_NOT_FOUND */
export async function getApplication(deps: Deps, id: string): Promise<ApplicationForOperator> {
  const [found, clientIdOf] = await Promise.all([
    selectRegistered(deps.db, id),
    readClientIds(deps.db, deps.keyring, [id]),
  ]);
  if (found === undefined) throw applicationNotFound();
  return withClientId(deps.keyring, found, clientIdOf(id));
}

/** A stored application as the operator sees it. @throws Error for the built-in one, which no operator sees */
async function toApplicationForOperator(
  deps: { db: Executor; keyring: Keyring },
  row: ApplicationRow,
): Promise<ApplicationForOperator> {
  const [shown] = await toApplicationsForOperator(deps, [row]);
  if (shown === undefined) throw new Error('one row gave no application');
  return shown;
}

async function toApplicationsForOperator(
  { db, keyring }: { db: Executor; keyring: Keyring },
  rows: readonly ApplicationRow[],
): Promise<ApplicationForOperator[]> {
  const clientIdOf = await readClientIds(
    db,
    keyring,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => withClientId(keyring, row, clientIdOf(row.id)));
}

const withClientId = (keyring: Keyring, row: ApplicationRow, clientId: string): ApplicationForOperator => ({
  id: row.id,
  name: row.name,
  namespace: row.namespace,
  clientId,
  email: row.emailSealed === null ? undefined : keyring.open(APPLICATION_EMAIL, [row.id], row.emailSealed),
  imageUrl: row.imageUrl ?? undefined,
  status: row.status,
  previousSecretUntil: row.previousSecretUntil ?? undefined,
  createdAt: row.createdAt,
});

/** The approval rules judge a restoration by the money in the application's settlement wallets and pending for them. */
type StatusChange =
  | { action: Exclude<ApplicationAction, 'restore'>; reason?: string | undefined }
  | { action: 'restore'; reason: string; judge: Judge };

/** The money in an application's settlement wallets, and pending for them. */
async function settlesWith(tx: Tx, keyring: Keyring, id: string): Promise<Minor | undefined> {
  const wallets = await Promise.all(currencies.map((currency) => getSettlementWallet(tx, keyring, id, currency)));
  const behind = await moneyBehind(tx, { accounts: wallets.map((wallet) => wallet.id) });
  return behind && asMinor(behind.held + behind.waits);
}

/**
 * Approves a pending application, suspends one, or restores a suspended one. Takes effect at once, in other processes within a
 * second: no token outlives it. In live, approval mails the contact a link to prove their address; restoration notifies the
 * contact. Audited.
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
    const addressee = applicationAddressee(keyring, before);
    if (action === 'approve' && deps.environment === 'live') await askForProof(tx, deps, addressee);
    const what = 'its suspension has ended';
    if (action === 'restore') await queueMail(tx, deps, addressee, { kind: 'MONEY_FREED', what });
    return toApplicationForOperator({ db: tx, keyring }, changed);
  });
  if (action === 'suspend') securityLog.record('application_suspended', { applicationId: id });
  if (action === 'restore') securityLog.record('money_freed', { applicationId: id });
  return view;
}

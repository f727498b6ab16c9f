import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { type ApplicationStatus, type StatusChange, statusChanges } from './application-status.ts';
import { moveApplication, selectApplication, selectApplications } from './application-store.ts';
import { EMAIL_PURPOSE } from './register-application.ts';
import type { ApplicationRow } from './store.ts';

/** An application as the operator sees it. */
export interface OperatedApplication {
  id: string;
  name: string;
  namespace: string;
  clientId: string;
  email: string | undefined;
  imageUrl: string | undefined;
  status: ApplicationStatus;
  /** Until when the client secret before the last rotation is taken too. */
  previousSecretUntil: Date | undefined;
  createdAt: Date;
}

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock };

export const applicationNotFound = () => new DomainError('APPLICATION_NOT_FOUND', 'there is no such application');

/** Newest first. The built-in application is not among them: nobody operates it. */
export async function listApplications(
  { db, keyring }: Deps,
  { status, ...page }: { status?: ApplicationStatus | undefined; limit: number; offset: number },
): Promise<{ items: OperatedApplication[]; count: number }> {
  const { items, count } = await selectApplications(db, status, page);
  return { items: items.map((row) => toOperated(keyring, row)), count };
}

/** @throws DomainError APPLICATION_NOT_FOUND */
export async function getApplication({ db, keyring }: Deps, id: string): Promise<OperatedApplication> {
  const found = await selectApplication(db, id);
  if (found === undefined) throw applicationNotFound();
  return toOperated(keyring, found);
}

/**
 * Approves an application that waits, suspends one, or restores a suspended one. It takes effect with its next call: no
 * token outlives it.
 *
 * @throws DomainError APPLICATION_NOT_FOUND, APPLICATION_STATUS_CONFLICT
 */
export async function operateApplication(
  { transact, keyring }: Deps,
  { id, change, actor, reason }: { id: string; change: StatusChange; actor: string; reason?: string | undefined },
): Promise<OperatedApplication> {
  const { from, to } = statusChanges[change];
  return transact(async (tx) => {
    const before = await selectApplication(tx, id, 'locked');
    if (before === undefined) throw applicationNotFound();
    const moved = await moveApplication(tx, id, from, to);
    if (moved === undefined) {
      throw new DomainError('APPLICATION_STATUS_CONFLICT', `this application is ${before.status.toLowerCase()}`);
    }
    await recordChange(tx, {
      actor,
      action: `application.${change}`,
      target: id,
      before: { status: before.status },
      after: { status: to },
      reason,
    });
    return toOperated(keyring, moved);
  });
}

function toOperated(keyring: Keyring, row: ApplicationRow): OperatedApplication {
  if (row.clientId === null) throw new Error('the built-in application is operated by nobody');
  return {
    id: row.id,
    name: row.name,
    namespace: row.namespace,
    clientId: row.clientId,
    email: row.emailSealed === null ? undefined : keyring.open(EMAIL_PURPOSE, row.emailSealed),
    imageUrl: row.imageUrl ?? undefined,
    status: row.status,
    previousSecretUntil: row.previousSecretUntil ?? undefined,
    createdAt: row.createdAt,
  };
}

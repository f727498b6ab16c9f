import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { readClientIds } from '#modules/outbox';
import { APPLICATION_EMAIL } from './application-sealed-columns.ts';
import type { ApplicationStatus } from './application-status.ts';
import { type ApplicationRow, selectRegistered, selectRegisteredPage } from './application-store.ts';

/** An application as the operator sees it. */
export interface ApplicationForOperator {
  id: string;
  name: string;
  namespace: string;
  clientId: string;
  email: string | undefined;
  imageUrl: string | undefined;
  status: ApplicationStatus;
  /** Until when the client secret before the last rotation is accepted too. */
  previousSecretUntil: Date | undefined;
  createdAt: Date;
}

type Deps = { db: Database; keyring: Keyring };

/** The error of an id that is no registered application. */
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
export async function toApplicationForOperator(
  deps: { db: Executor; keyring: Keyring },
  row: ApplicationRow,
): Promise<ApplicationForOperator> {
  const [shown] = await toApplicationsForOperator(deps, [row]);
  if (shown === undefined) throw new Error('one row gave none');
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

import { and, desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import { type Given, preparedOne, preparedText } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
import { forgetAfterCommit } from '#lib/transact.ts';
import { pageOfWalk } from '#lib/walk.ts';
import type { ApplicationStatus } from './application-status.ts';
import { application } from './tables.ts';

/** What changes them is called so, here and by the trigger of `application`. */
export const CREDENTIALS = 'applications';

export type ApplicationRow = typeof application.$inferSelect;
export type NewApplicationRow = typeof application.$inferInsert;

/** The new application, or undefined when the namespace is taken. */
export async function insertApplication(tx: Tx, values: NewApplicationRow): Promise<ApplicationRow | undefined> {
  const [created] = await add(tx, values, {});
  return created;
}

const add = preparedColumns('applications.add', application, (db, written: Written<NewApplicationRow>) =>
  db.insert(application).values(written).onConflictDoNothing({ target: application.namespace }).returning(),
);

/** What an application's calls are authenticated by, and its requests for tokens: digests alone. */
export type ApplicationCredentials = Pick<
  ApplicationRow,
  | 'id'
  | 'name'
  | 'namespace'
  | 'status'
  | 'tokenGeneration'
  | 'clientIdDigest'
  | 'secretDigest'
  | 'previousSecretDigest'
  | 'previousSecretUntil'
>;

const READ = `
  select id, name, namespace, status, token_generation as "tokenGeneration", client_id_digest as "clientIdDigest",
         secret_digest as "secretDigest", previous_secret_digest as "previousSecretDigest",
         previous_secret_until as "previousSecretUntil"
    from applications.application`;

/** Applications by their ids. */
export const selectByIds = preparedText<ApplicationCredentials>(
  'applications.credentials',
  `${READ} where id = any((select $1::uuid[])::uuid[])`,
);

/** Applications by the digests of their client ids. */
export const selectByClientIds = preparedText<ApplicationCredentials>(
  'applications.credentials-by-client-id',
  `${READ} where client_id_digest = any((select $1::bytea[])::bytea[])`,
);

const registered = eq(application.builtIn, false);

/** An application that is not built in. With `locked`: locked until the transaction ends. */
export async function selectRegistered(db: Executor, id: string, lock?: 'locked'): Promise<ApplicationRow | undefined> {
  return lock === undefined ? byId(db, { id }) : lockById(db, { id });
}

const isRegistered = (given: Given<{ id: string }>) => and(registered, eq(application.id, given.id));

const byId = preparedOne('applications.by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(application).where(isRegistered(given)),
);
const lockById = preparedOne('applications.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(application).where(isRegistered(given)).for('no key update'),
);

const listed = alias(application, 'a');

/** A page of the applications that are not built in, of one status if given. Newest first; `count` is of all pages. */
export async function selectRegisteredPage(
  db: Executor,
  status: ApplicationStatus | undefined,
  page: PageRequest<string>,
): Promise<Listed<ApplicationRow, string>> {
  // Those that wait have an index.
  const within = status === 'PENDING' ? sql`${listed.status} = 'PENDING'` : undefined;
  const matches = and(eq(listed.builtIn, false), status && eq(listed.status, status));
  const walk = {
    name: 'applications',
    filter: status,
    table: application,
    row: listed,
    key: listed.id,
    within,
    matches,
  };
  return pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db.select().from(application).where(sql`${application.id} in (${keys})`).orderBy(desc(application.id)),
    keyOf: ({ id }) => id,
  });
}

/** Gives an application a status, if it has one of `from`. Undefined when it has not. It holds in this process from the commit on. */
export async function updateStatus(
  tx: Tx,
  id: string,
  from: readonly ApplicationStatus[],
  to: ApplicationStatus,
): Promise<ApplicationRow | undefined> {
  const changed = await setStatus(tx, { id, from, to });
  forgetAfterCommit(tx, CREDENTIALS);
  return changed;
}

const setStatus = preparedOne(
  'applications.set-status',
  (db, given: Given<{ id: string; from: readonly ApplicationStatus[]; to: ApplicationStatus }>) =>
    db
      .update(application)
      .set({ status: sql`${given.to}` })
      .where(and(isRegistered(given), sql`${application.status} = any(${given.from})`))
      .returning(),
);

/** Replaces the pages to which customers may be led back. */
export async function updateReturnUrls(tx: Tx, id: string, returnUrls: string[]): Promise<void> {
  await change(tx, { returnUrls }, { id });
}

const change = preparedColumns(
  'applications.change',
  application,
  (db, written: Written<Partial<ApplicationRow>>, given: Given<{ id: string }>) =>
    db.update(application).set(written).where(eq(application.id, given.id)),
);

/** Replaces the digests of an application's client secrets, and what its tokens are good by. */
export async function updateSecret(
  tx: Tx,
  id: string,
  values: Pick<ApplicationRow, 'secretDigest' | 'previousSecretDigest' | 'previousSecretUntil' | 'tokenGeneration'>,
): Promise<void> {
  await change(tx, values, { id });
  forgetAfterCommit(tx, CREDENTIALS);
}

import { and, desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { alteredIn, assertAuthentic, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedColumns, preparedOne, preparedText, type Written } from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { APPLICATION_ROUTE } from './application-sealed-columns.ts';
import type { ApplicationStatus } from './application-status.ts';
import { application } from './tables.ts';

/** What changes them is called so, here and by the trigger of `application`. */
export const CREDENTIALS = 'applications';

export type ApplicationRow = typeof application.$inferSelect;
export type NewApplicationRow = Omit<typeof application.$inferInsert, 'routingMac'> &
  Pick<ApplicationRow, 'id' | 'clientIdDigest' | 'secretDigest'>;

/** The new application, or undefined when the namespace is taken. */
export async function insertApplication(
  tx: Tx,
  keyring: Keyring,
  values: NewApplicationRow,
): Promise<ApplicationRow | undefined> {
  const facts = {
    previousSecretDigest: null,
    previousSecretUntil: null,
    tokenGeneration: 0,
    returnUrls: [],
    ...values,
  };
  const [created] = await add(tx, { ...values, routingMac: routingMacOf(keyring, APPLICATION_ROUTE, facts) }, {});
  return created;
}

const add = preparedColumns('applications.add', application, (db, written: Written<typeof application.$inferInsert>) =>
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
  | 'returnUrls'
> & {
  /** Why it may do nothing: it is not as we stored it. */
  altered: AlteredRecord | undefined;
};

type StoredCredentials = Omit<ApplicationCredentials, 'altered'> & Pick<ApplicationRow, 'routingMac'>;

const READ = `
  select id, name, namespace, status, token_generation as "tokenGeneration", client_id_digest as "clientIdDigest",
         secret_digest as "secretDigest", previous_secret_digest as "previousSecretDigest",
         previous_secret_until as "previousSecretUntil", return_urls as "returnUrls", routing_mac as "routingMac"
    from applications.application`;

/** Each as it stands: whether it is as we stored it. */
const asStored = (keyring: Keyring, rows: readonly StoredCredentials[]): ApplicationCredentials[] =>
  rows.map(({ routingMac, ...row }) => ({
    ...row,
    altered: alteredIn(() => assertAuthentic(keyring, APPLICATION_ROUTE, { ...row, routingMac })),
  }));

/** Applications by their ids. */
export const readByIds = async (
  db: Executor,
  keyring: Keyring,
  ids: readonly string[],
): Promise<ApplicationCredentials[]> => asStored(keyring, await selectByIds(db, [ids]));

/** Applications by the digests of their client ids. */
export const readByClientIds = async (
  db: Executor,
  keyring: Keyring,
  digests: readonly Buffer[],
): Promise<ApplicationCredentials[]> => asStored(keyring, await selectByClientIds(db, [digests]));

const selectByIds = preparedText<StoredCredentials>(
  'applications.credentials',
  `${READ} where id = any((select $1::uuid[])::uuid[])`,
);

const selectByClientIds = preparedText<StoredCredentials>(
  'applications.credentials-by-client-id',
  `${READ} where client_id_digest = any((select $1::bytea[])::bytea[])`,
);

const registered = eq(application.builtIn, false);

/** An application that is not built in. With `locked`: locked until the transaction ends. */
export async function selectRegistered(db: Executor, id: string, lock?: 'locked'): Promise<ApplicationRow | undefined> {
  return lock === undefined ? byId(db, { id }) : lockById(db, { id });
}

/** The same, locked before it is changed, that stands as we stored it. @throws AlteredRecord */
export async function lockAuthentic(tx: Tx, keyring: Keyring, id: string): Promise<ApplicationRow | undefined> {
  const found = await lockById(tx, { id });
  if (found !== undefined) assertAuthentic(keyring, APPLICATION_ROUTE, found);
  return found;
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

/**
 * Replaces the digests of an application's client secrets, what its tokens are good by, or the pages to which customers may be led
 * back; what is not given stays. The server may write them in no other way than with their MAC.
 */
export async function routeApplication(
  tx: Tx,
  keyring: Keyring,
  locked: ApplicationRow,
  values: Partial<
    Pick<
      ApplicationRow,
      'secretDigest' | 'previousSecretDigest' | 'previousSecretUntil' | 'tokenGeneration' | 'returnUrls'
    >
  >,
): Promise<void> {
  const now = { ...locked, ...values };
  await route(tx, [
    now.id,
    now.secretDigest,
    now.previousSecretDigest,
    now.previousSecretUntil,
    now.tokenGeneration,
    now.returnUrls,
    routingMacOf(keyring, APPLICATION_ROUTE, now),
  ]);
  forgetAfterCommit(tx, CREDENTIALS);
}

const route = preparedText(
  'applications.route',
  'select applications.route_application($1::uuid, $2, $3, $4::timestamptz, $5, $6::text[], $7)',
  { writes: true },
);

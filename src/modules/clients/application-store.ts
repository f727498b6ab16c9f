import { and, desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { alteredIn, assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { AlteredRecord, SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedColumns, preparedOne, preparedText, type Written } from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { ApplicationStatus } from './application-status.ts';
import { application, subject } from './tables.ts';

/** The cache channel of applications: this module and the trigger of `application` notify it. */
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
  const [created] = await addApplication(
    tx,
    { ...values, routingMac: routingMacOf(keyring, APPLICATION_ROUTE, facts) },
    {},
  );
  return created;
}

const addApplication = preparedColumns(
  'applications.add',
  application,
  (db, written: Written<typeof application.$inferInsert>) =>
    db.insert(application).values(written).onConflictDoNothing({ target: application.namespace }).returning(),
);

/** What authenticates an application's calls and its token requests: digests only. */
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
  /** Set when the stored row was altered: all its calls are refused. */
  altered: AlteredRecord | undefined;
};

type StoredCredentials = Omit<ApplicationCredentials, 'altered'> & Pick<ApplicationRow, 'routingMac'>;

const READ = `
  select id, name, namespace, status, token_generation as "tokenGeneration", client_id_digest as "clientIdDigest",
         secret_digest as "secretDigest", previous_secret_digest as "previousSecretDigest",
         previous_secret_until as "previousSecretUntil", return_urls as "returnUrls", routing_mac as "routingMac"
    from applications.application`;

/** Marks altered rows. */
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
  return lock === undefined ? applicationById(db, { id }) : lockById(db, { id });
}

/** Locks an application for a change, and verifies its row. @throws AlteredRecord */
export async function lockAuthentic(tx: Tx, keyring: Keyring, id: string): Promise<ApplicationRow | undefined> {
  const found = await lockById(tx, { id });
  if (found !== undefined) assertAuthentic(keyring, APPLICATION_ROUTE, found);
  return found;
}

const isRegistered = (given: Given<{ id: string }>) => and(registered, eq(application.id, given.id));

const applicationById = preparedOne('applications.by-id', (db, given: Given<{ id: string }>) =>
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
  // Pending ones have an index.
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

/** Gives an application a status, if its status is one of `from`; otherwise undefined. Takes effect in this process from the commit on. */
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
 * Replaces the given ones of an application's secret digests, token generation and return URLs, with their MAC: the server has no
 * other right to write them.
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

/** Sorts after every name with the same beginning. */
const LAST = '\u{10ffff}';

/** Compares by byte order, as the index does: a generic plan would not use the index for a pattern. */
const byName = preparedText<{ id: string; name: string }>(
  'applications.by-name',
  `select id, name from ((
     select id, name from applications.application where lower(name) ~>=~ $1 and lower(name) ~<~ $2 and not built_in
      order by lower(name) using ~<~ limit $3)
     union
     select id, name from applications.application where namespace = $1 and not built_in) found limit $3`,
);

/** Applications whose names begin with a text, in whatever case, and the one with that namespace; at most `limit`. */
export const findApplicationsByName = async (
  db: Executor,
  { begin, limit }: { begin: string; limit: number },
): Promise<{ id: string; name: string }[]> => byName(db, [begin.toLowerCase(), begin.toLowerCase() + LAST, limit]);

const names = preparedText<{ id: string; name: string }>(
  'applications.names',
  'select id, name from applications.application where id = any((select $1::uuid[])::uuid[])',
);

/** The names of applications, by their ids. */
export const findApplicationNames = async (db: Executor, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(ids.length === 0 ? [] : (await names(db, [ids])).map(({ id, name }) => [id, name]));

export type SubjectRow = typeof subject.$inferSelect;

type NewSubjectRow = typeof subject.$inferInsert;

/** The new subject, or undefined when its application has one with this external id. */
export async function insertSubject(
  db: Executor,
  keyring: Keyring,
  values: Omit<NewSubjectRow, 'id' | 'routingMac'> & { createdAt: Date },
): Promise<SubjectRow | undefined> {
  const named = { ...values, id: timeOrderedId(values.createdAt) };
  const [created] = await addSubject(db, { ...named, routingMac: routingMacOf(keyring, subjectRoute, named) }, {});
  return created;
}

const addSubject = preparedColumns('applications.add-subject', subject, (db, written: Written<NewSubjectRow>) =>
  db
    .insert(subject)
    .values(written)
    .onConflictDoNothing({ target: [subject.applicationId, subject.externalId] })
    .returning(),
);

/** A subject of this application, by either of its ids; by both, when both are given. @throws AlteredRecord */
export async function selectSubject(
  db: Executor,
  keyring: Keyring,
  applicationId: string,
  { subjectId, externalId }: { subjectId?: string | undefined; externalId?: string | undefined },
): Promise<SubjectRow | undefined> {
  if (subjectId === undefined && externalId === undefined) throw new Error('neither id of a subject was given');
  const named = { applicationId, subjectId: subjectId ?? null, externalId: externalId ?? null };
  const read = subjectId === undefined ? byExternalId : externalId === undefined ? subjectById : byBothIds;
  const found = await read(db, named);
  if (found !== undefined) assertAuthentic(keyring, subjectRoute, found);
  return found;
}

type NamedSubject = Given<{ applicationId: string; subjectId: string | null; externalId: string | null }>;

const ofApplication = (given: NamedSubject) => eq(subject.applicationId, given.applicationId);
const isOfId = (given: NamedSubject) => sql`${subject.id} = ${given.subjectId}`;
const isOfExternalId = (given: NamedSubject) => sql`${subject.externalId} = ${given.externalId}`;

const subjectById = preparedOne('applications.subject', (db, given: NamedSubject) =>
  db
    .select()
    .from(subject)
    .where(and(ofApplication(given), isOfId(given))),
);

const byExternalId = preparedOne('applications.subject-by-external-id', (db, given: NamedSubject) =>
  db
    .select()
    .from(subject)
    .where(and(ofApplication(given), isOfExternalId(given))),
);

const byBothIds = preparedOne('applications.subject-by-both-ids', (db, given: NamedSubject) =>
  db
    .select()
    .from(subject)
    .where(and(ofApplication(given), isOfId(given), isOfExternalId(given))),
);

/** Changes the displayed fields of a subject. */
export async function updateSubject(
  tx: Tx,
  { applicationId, externalId }: { applicationId: string; externalId: string },
  values: Partial<Pick<SubjectRow, 'displayName' | 'imageUrl'>>,
): Promise<void> {
  await change(tx, values, { applicationId, externalId });
}

const change = preparedColumns(
  'applications.change-subject',
  subject,
  (db, written: Written<Partial<SubjectRow>>, given: Given<{ applicationId: string; externalId: string }>) =>
    db
      .update(subject)
      .set(written)
      .where(and(eq(subject.applicationId, given.applicationId), eq(subject.externalId, given.externalId))),
);

/** The application and the person behind a subject: for the built-in application, a customer. None of it ever changes. */
export const subjectRoute = {
  table: 'applications.subject',
  columns: ['id', 'applicationId', 'externalId'],
} as const satisfies RoutingFacts;

/** The e-mail address with which an application was registered. */
export const APPLICATION_EMAIL = {
  table: 'applications.application',
  column: 'email_sealed',
  row: ['id'],
} as const satisfies SealedColumn;

/** The e-mail address of a subject. */
export const SUBJECT_EMAIL = {
  table: 'applications.subject',
  column: 'email_sealed',
  row: ['application_id', 'external_id'],
} as const satisfies SealedColumn;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [APPLICATION_EMAIL, SUBJECT_EMAIL];

/** The application's identity, its secrets and its return URLs. */
const APPLICATION_ROUTE = {
  table: 'applications.application',
  columns: [
    'id',
    'namespace',
    'clientIdDigest',
    'secretDigest',
    'previousSecretDigest',
    'previousSecretUntil',
    'tokenGeneration',
    'returnUrls',
  ],
  where: 'not built_in', // ours has no credentials and no pages
} as const satisfies RoutingFacts;

/** The routing facts that the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [APPLICATION_ROUTE, subjectRoute];

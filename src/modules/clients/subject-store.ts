import { and, eq, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { timeOrderedId } from '#lib/random.ts';
import { subjectRoute } from './subject-route.ts';
import { subject } from './tables.ts';

export type SubjectRow = typeof subject.$inferSelect;
type NewSubjectRow = typeof subject.$inferInsert;

/** The new subject, or undefined when its application has one with this external id. */
export async function insertSubject(
  db: Executor,
  keyring: Keyring,
  values: Omit<NewSubjectRow, 'id' | 'routingMac'> & { createdAt: Date },
): Promise<SubjectRow | undefined> {
  const named = { ...values, id: timeOrderedId(values.createdAt) };
  const [created] = await add(db, { ...named, routingMac: routingMacOf(keyring, subjectRoute, named) }, {});
  return created;
}

const add = preparedColumns('applications.add-subject', subject, (db, written: Written<NewSubjectRow>) =>
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
  const read = subjectId === undefined ? byExternalId : externalId === undefined ? byId : byBothIds;
  const found = await read(db, named);
  if (found !== undefined) assertAuthentic(keyring, subjectRoute, found);
  return found;
}

type NamedSubject = Given<{ applicationId: string; subjectId: string | null; externalId: string | null }>;

const ofApplication = (given: NamedSubject) => eq(subject.applicationId, given.applicationId);
const isOfId = (given: NamedSubject) => sql`${subject.id} = ${given.subjectId}`;
const isOfExternalId = (given: NamedSubject) => sql`${subject.externalId} = ${given.externalId}`;

const byId = preparedOne('applications.subject', (db, given: NamedSubject) =>
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

/** Changes what is shown of a subject. */
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

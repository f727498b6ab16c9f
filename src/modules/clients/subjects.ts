import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { assertDisplayName } from '#modules/reserved-names';
import { insertSubject, SUBJECT_EMAIL, type SubjectRow, selectSubject, updateSubject } from './application-store.ts';
import type { AuthenticatedApplication } from './authenticate-application.ts';

export interface NewSubject {
  /** The application's own id for them, unique among its subjects. */
  externalId: string;
  displayName?: string | undefined;
  email?: string | undefined;
  imageUrl?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Creates a subject of an application, once: the same content again returns the existing subject. Callers that resolve its tag
 * see display name and picture; only this application sees the rest.
 *
 * @returns `created` is false when the subject existed
 * @throws DomainError NAME_RESERVED; SUBJECT_EXISTS when the subject with that externalId has other content
 */
export async function registerSubject(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  application: AuthenticatedApplication,
  given: NewSubject,
): Promise<{ subject: Subject; created: boolean }> {
  const { externalId, displayName, email, imageUrl } = given;
  if (displayName !== undefined) assertDisplayName(displayName);
  const metadata = given.metadata && storedForm(given.metadata);
  const created = await insertSubject(db, keyring, {
    applicationId: application.id,
    externalId,
    displayName: displayName ?? null,
    emailSealed: email === undefined ? null : keyring.seal(SUBJECT_EMAIL, [application.id, externalId], email),
    imageUrl: imageUrl ?? null,
    metadata: metadata ?? null,
    createdAt: clock.now(),
  });
  const row = created ?? (await selectSubject(db, keyring, application.id, { externalId }));
  if (row === undefined) throw new Error('a subject is never deleted');
  const subject = toSubject(keyring, row, application.name);
  if (created === undefined) {
    const { displayName: name, email: address, imageUrl: image, metadata: more } = subject;
    if (!isDeepStrictEqual([name, address, image, more], [displayName, email, imageUrl, metadata])) {
      throw new DomainError('SUBJECT_EXISTS', 'this externalId belongs to a subject with other content');
    }
  }
  return { subject, created: created !== undefined };
}

/** As PostgreSQL returns it, to compare with the stored value. */
const storedForm = (metadata: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;

/** A subject for its own application. */
export interface Subject {
  id: string;
  applicationId: string;
  applicationName: string;
  externalId: string;
  displayName: string | undefined;
  email: string | undefined;
  imageUrl: string | undefined;
  metadata: Record<string, unknown> | undefined;
  createdAt: Date;
}

/** A subject by our id or by its application's; if both are given, both must match. */
export interface SubjectChoice {
  subjectId?: string | undefined;
  externalId?: string | undefined;
}

/** A subject by its application's id. */
interface SubjectName {
  applicationId: string;
  externalId: string;
}

/** A stored subject for its application, with the e-mail address decrypted. */
export const toSubject = (keyring: Keyring, row: SubjectRow, applicationName: string): Subject => ({
  id: row.id,
  applicationId: row.applicationId,
  applicationName,
  externalId: row.externalId,
  displayName: row.displayName ?? undefined,
  email:
    row.emailSealed === null
      ? undefined
      : keyring.open(SUBJECT_EMAIL, [row.applicationId, row.externalId], row.emailSealed),
  imageUrl: row.imageUrl ?? undefined,
  metadata: row.metadata ?? undefined,
  createdAt: row.createdAt,
});

/**
 * A subject of this application. One of another application is refused like an unknown one.
 *
 * @throws DomainError INVALID_PARAMETER when neither id is given, SUBJECT_NOT_FOUND
 */
export async function findSubject(
  db: Executor,
  keyring: Keyring,
  applicationId: string,
  choice: SubjectChoice,
): Promise<SubjectRow> {
  if (choice.subjectId === undefined && choice.externalId === undefined) {
    throw new DomainError('INVALID_PARAMETER', 'subjectId: send subjectId or externalId');
  }
  const found = await selectSubject(db, keyring, applicationId, choice);
  if (found === undefined) {
    throw new DomainError(
      'SUBJECT_NOT_FOUND',
      'your application has no such subject: create it with POST /v1/subjects',
    );
  }
  return found;
}

/** Creates a subject of an application. Callers that resolve its tag see these fields. */
export async function createSubject(
  tx: Tx,
  keyring: Keyring,
  subject: SubjectName & { displayName?: string; imageUrl?: string | undefined; createdAt: Date },
): Promise<SubjectRow> {
  const created = await insertSubject(tx, keyring, subject);
  if (created === undefined) throw new Error(`the application already has a subject ${subject.externalId}`);
  return created;
}

/** Changes the display name of a subject. */
export async function changeSubjectName(tx: Tx, name: SubjectName, displayName: string): Promise<void> {
  await updateSubject(tx, name, { displayName });
}

/** Changes the picture of a subject. */
export async function changeSubjectImage(tx: Tx, name: SubjectName, imageUrl: string): Promise<void> {
  await updateSubject(tx, name, { imageUrl });
}

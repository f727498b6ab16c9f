import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { SUBJECT_EMAIL } from './application-sealed-columns.ts';
import { insertSubject, type SubjectRow, selectSubject, updateSubject } from './subject-store.ts';

/** A subject as its own application sees it. */
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

/** A subject by our id or by its application's; when both are given, both must fit. */
export interface SubjectChoice {
  subjectId?: string | undefined;
  externalId?: string | undefined;
}

/** A subject by its application's id for it. */
interface SubjectName {
  applicationId: string;
  externalId: string;
}

/** A stored subject as its application sees it, with the e-mail address decrypted. */
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
 * A subject of this application. Another application's is refused like an unknown one.
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
    throw new DomainError('INVALID_PARAMETER', 'subjectId: give it, or externalId');
  }
  const found = await selectSubject(db, keyring, applicationId, choice);
  if (found === undefined) {
    throw new DomainError('SUBJECT_NOT_FOUND', 'your application has no such subject: make it with POST /v1/subjects');
  }
  return found;
}

/** Makes somebody a subject of an application. Whoever resolves their tag sees what is given here. */
export async function createSubject(
  tx: Tx,
  keyring: Keyring,
  subject: SubjectName & { displayName?: string; imageUrl?: string | undefined; createdAt: Date },
): Promise<SubjectRow> {
  const created = await insertSubject(tx, keyring, subject);
  if (created === undefined) throw new Error(`the application has a subject ${subject.externalId} already`);
  return created;
}

/** Changes the name that is shown of a subject. */
export async function changeSubjectName(tx: Tx, name: SubjectName, displayName: string): Promise<void> {
  await updateSubject(tx, name, { displayName });
}

/** Changes the picture that is shown of a subject. */
export async function changeSubjectImage(tx: Tx, name: SubjectName, imageUrl: string): Promise<void> {
  await updateSubject(tx, name, { imageUrl });
}

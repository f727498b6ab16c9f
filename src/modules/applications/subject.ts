import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type SubjectRow, selectSubject } from './store.ts';

export type { SubjectRow } from './store.ts';

export const SUBJECT_EMAIL_PURPOSE = 'subject.email';

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

/** A subject by our name for it or by its application's; by both, both must be its own. */
export interface SubjectChoice {
  subjectId?: string | undefined;
  externalId?: string | undefined;
}

export const toSubject = (keyring: Keyring, row: SubjectRow, applicationName: string): Subject => ({
  id: row.id,
  applicationId: row.applicationId,
  applicationName,
  externalId: row.externalId,
  displayName: row.displayName ?? undefined,
  email: row.emailSealed === null ? undefined : keyring.open(SUBJECT_EMAIL_PURPOSE, row.emailSealed),
  imageUrl: row.imageUrl ?? undefined,
  metadata: row.metadata ?? undefined,
  createdAt: row.createdAt,
});

/**
 * The subject of this application that is meant. Another application's is as unknown as one that nobody has.
 *
 * @throws DomainError INVALID_PARAMETER when neither name is given, SUBJECT_NOT_FOUND
 */
export async function findSubject(db: Executor, applicationId: string, choice: SubjectChoice): Promise<SubjectRow> {
  if (choice.subjectId === undefined && choice.externalId === undefined) {
    throw new DomainError('INVALID_PARAMETER', 'subjectId: give it, or externalId');
  }
  const found = await selectSubject(db, applicationId, choice);
  if (found === undefined) {
    throw new DomainError('SUBJECT_NOT_FOUND', 'your application has no such subject: make it with POST /v1/subjects');
  }
  return found;
}

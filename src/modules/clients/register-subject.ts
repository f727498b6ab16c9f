import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { assertDisplayName } from '#modules/reserved-names';
import { SUBJECT_EMAIL } from './application-sealed-columns.ts';
import type { AuthenticatedApplication } from './authenticate-application.ts';
import { type Subject, toSubject } from './subject.ts';
import { insertSubject, selectSubject } from './subject-store.ts';

export interface NewSubject {
  /** The application's own id for them, unique among its subjects. */
  externalId: string;
  displayName?: string | undefined;
  email?: string | undefined;
  imageUrl?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Makes somebody a subject of an application, once: the same content again answers the subject that exists. Whoever
 * resolves their tag sees display name and picture; the rest is shown to this application alone.
 *
 * @returns `created` is false when the subject existed
 * @throws DomainError NAME_RESERVED; SUBJECT_EXISTS when that externalId stands for other content
 */
export async function registerSubject(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  application: AuthenticatedApplication,
  given: NewSubject,
): Promise<{ subject: Subject; created: boolean }> {
  const { externalId, displayName, email, imageUrl } = given;
  if (displayName !== undefined) assertDisplayName(displayName);
  const metadata = given.metadata && storedForm(given.metadata);
  const made = await insertSubject(db, keyring, {
    applicationId: application.id,
    externalId,
    displayName: displayName ?? null,
    emailSealed: email === undefined ? null : keyring.seal(SUBJECT_EMAIL, [application.id, externalId], email),
    imageUrl: imageUrl ?? null,
    metadata: metadata ?? null,
    createdAt: clock.now(),
  });
  const row = made ?? (await selectSubject(db, keyring, application.id, { externalId }));
  if (row === undefined) throw new Error('a subject is never deleted');
  const subject = toSubject(keyring, row, application.name);
  if (made === undefined) {
    const { displayName: name, email: address, imageUrl: image, metadata: more } = subject;
    if (!isDeepStrictEqual([name, address, image, more], [displayName, email, imageUrl, metadata])) {
      throw new DomainError('SUBJECT_EXISTS', 'this externalId stands for a subject with other content');
    }
  }
  return { subject, created: made !== undefined };
}

/** As it is read back from the database, so that it can be compared with what is stored. */
const storedForm = (metadata: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;

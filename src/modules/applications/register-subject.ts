import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from './authenticate-application.ts';
import { insertNewSubject, selectSubject } from './store.ts';
import { SUBJECT_EMAIL_PURPOSE, type Subject, toSubject } from './subject.ts';

export interface NewSubject {
  /** The application's own name for it, unique among its subjects. */
  externalId: string;
  displayName?: string | undefined;
  email?: string | undefined;
  imageUrl?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Makes somebody known to an application, once: the same content again answers the subject there is. Display name and
 * picture are shown to whoever resolves her tag; the rest to this application alone.
 *
 * @returns `created` is false when the subject was there
 * @throws DomainError SUBJECT_EXISTS when that externalId stands for other content
 */
export async function registerSubject(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  application: AuthenticatedApplication,
  given: NewSubject,
): Promise<{ subject: Subject; created: boolean }> {
  const { externalId, displayName, email, imageUrl } = given;
  const metadata = given.metadata && storedForm(given.metadata);
  const made = await insertNewSubject(db, {
    applicationId: application.id,
    externalId,
    displayName: displayName ?? null,
    emailSealed: email === undefined ? null : keyring.seal(SUBJECT_EMAIL_PURPOSE, email),
    imageUrl: imageUrl ?? null,
    metadata: metadata ?? null,
    createdAt: clock.now(),
  });
  const row = made ?? (await selectSubject(db, application.id, { externalId }));
  if (row === undefined) throw new Error('a subject that was in the way is gone');
  const subject = toSubject(keyring, row, application.name);
  if (made === undefined) {
    const { displayName: name, email: address, imageUrl: image, metadata: more } = subject;
    if (!isDeepStrictEqual([name, address, image, more], [displayName, email, imageUrl, metadata])) {
      throw new DomainError('SUBJECT_EXISTS', 'this externalId stands for a subject with other content');
    }
  }
  return { subject, created: made !== undefined };
}

/** As it will be read back, so that it can be compared with what is stored. */
const storedForm = (metadata: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;

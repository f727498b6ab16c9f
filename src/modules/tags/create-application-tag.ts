import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { type AuthenticatedApplication, findSubject, type SubjectChoice } from '#modules/applications';
import { isReserved } from '#modules/reserved-names';
import { parseHandle, TAG_GRAMMAR } from './handle.ts';
import { type OwnedTag, toOwnedTag } from './owned-tag.ts';
import { insertTag } from './store.ts';

/**
 * Gives a handle to a subject of the calling application. When several ask at once, one gets it.
 *
 * @throws DomainError INVALID_TAG, TAG_RESERVED, INVALID_PARAMETER, SUBJECT_NOT_FOUND, TAG_ALREADY_EXISTS
 */
export async function createApplicationTag(
  { transact, db, keyring, clock }: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  application: AuthenticatedApplication,
  { tagString, ...choice }: SubjectChoice & { tagString: string },
): Promise<OwnedTag> {
  const handle = parseHandle(tagString);
  if (handle === undefined) throw new DomainError('INVALID_TAG', `tagString: ${TAG_GRAMMAR}`);
  if (isReserved(handle)) throw new DomainError('TAG_RESERVED', 'this tag is reserved: choose another');
  const owner = await findSubject(db, application.id, choice);
  const values = { handle, subjectId: owner.id, createdByAppId: application.id, createdAt: clock.now() };
  const tag = await transact((tx) => insertTag(tx, values));
  if (tag === undefined) throw new DomainError('TAG_ALREADY_EXISTS', `${handle} is taken: choose another`);
  return toOwnedTag(keyring, { tag, owner, ownerApp: application, creator: application });
}

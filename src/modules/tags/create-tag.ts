import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { type AuthenticatedApplication, findSubject, type SubjectChoice } from '#modules/clients';
import { isReserved } from '#modules/reserved-names';
import { parseHandle, RESERVED, TAG_GRAMMAR } from './handle.ts';
import { insertTag, isTaken, lockIsFull, type TagRow } from './store.ts';
import { type OwnedTag, toOwnedTag } from './tag.ts';

/** Whether the handle is free and not reserved. Only creating a tag settles who gets it. */
export async function isAvailable(db: Executor, handle: string, now: Date): Promise<boolean> {
  return !isReserved(handle) && !(await isTaken(db, handle, now));
}

/**
 * Gives a handle to a subject. Of several requests at the same time one gets it.
 *
 * @param tag.handle from `readNewPayTag`, which checks its grammar and the reserved words
 * @throws DomainError PAYTAG_TAKEN
 */
export async function createTag(
  tx: Tx,
  keyring: Keyring,
  tag: { handle: string; subjectId: string; createdByAppId: string; createdAt: Date },
): Promise<TagRow> {
  const created = await insertTag(tx, keyring, tag);
  if (created === undefined) throw new DomainError('PAYTAG_TAKEN', `${tag.handle} is taken: choose another`);
  return created;
}

/**
 * Gives a handle to a subject of the calling application. Of several requests at the same time one gets it. No application
 * gets more than its quota, however many it asks for at the same time.
 *
 * @throws DomainError INVALID_TAG, TAG_RESERVED, INVALID_PARAMETER, SUBJECT_NOT_FOUND, TAG_ALREADY_EXISTS,
 *   TAG_QUOTA_EXCEEDED
 */
export async function createApplicationTag(
  {
    transact,
    db,
    keyring,
    clock,
    applicationTagsMax: max,
  }: {
    db: Database;
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    /** 0: any number. */
    applicationTagsMax: number;
  },
  application: AuthenticatedApplication,
  { tagString, ...choice }: SubjectChoice & { tagString: string },
): Promise<OwnedTag> {
  const handle = parseHandle(tagString);
  if (handle === undefined) throw new DomainError('INVALID_TAG', `tagString: ${TAG_GRAMMAR}`);
  if (isReserved(handle)) throw new DomainError('TAG_RESERVED', RESERVED);
  const owner = await findSubject(db, keyring, application.id, choice);
  const values = { handle, subjectId: owner.id, createdByAppId: application.id, createdAt: clock.now() };
  const tag = await transact(async (tx) => {
    const now = values.createdAt;
    if (max > 0 && (await lockIsFull(tx, { applicationId: application.id, max, now }))) throw quotaExceeded(max);
    return insertTag(tx, keyring, values);
  });
  if (tag === undefined) throw new DomainError('TAG_ALREADY_EXISTS', `${handle} is taken: choose another`);
  return toOwnedTag(keyring, { tag, owner, ownerApp: application, creator: application });
}

const quotaExceeded = (max: number) =>
  new DomainError('TAG_QUOTA_EXCEEDED', `the application has ${max} tags, and may have no more: ask the operator`, {
    event: 'rate_limited',
  });

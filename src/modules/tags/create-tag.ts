import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { isReserved } from '#modules/reserved-names';
import { insertTag, isTaken, type TagRow } from './store.ts';

/** Whether the handle is free and not reserved. Only creating a tag settles who gets it. */
export async function isAvailable(db: Executor, handle: string, now: Date): Promise<boolean> {
  return !isReserved(handle) && !(await isTaken(db, handle, now));
}

/**
 * Gives a handle to a subject. When several ask at once, one gets it.
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

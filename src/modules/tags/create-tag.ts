import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { insertTag, type TagRow } from './store.ts';

/**
 * Gives a handle to a subject. Of two at once, one gets it.
 *
 * @param tag.handle read by `readNewPayTag`, so that its grammar and the reserved words were minded
 * @throws DomainError PAYTAG_TAKEN
 */
export async function createTag(
  tx: Tx,
  tag: { handle: string; subjectId: string; createdByAppId: string; createdAt: Date },
): Promise<TagRow> {
  const created = await insertTag(tx, tag);
  if (created === undefined) throw new DomainError('PAYTAG_TAKEN', `${tag.handle} is taken: choose another`);
  return created;
}

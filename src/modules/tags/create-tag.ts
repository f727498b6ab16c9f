import type { Tx } from '../../lib/database.ts';
import { DomainError } from '../../lib/domain-error.ts';
import { insertTag, type TagRow } from './store.ts';

/** What a surface calls a handle that is somebody's. */
type TakenCode = 'PAYTAG_TAKEN' | 'TAG_ALREADY_EXISTS';

/**
 * Gives a handle to a subject. Of two at once, one gets it.
 *
 * @param tag.handle read by `readNewPayTag`, so that its grammar and the reserved words were minded
 * @throws DomainError with `takenCode`
 */
export async function createTag(
  tx: Tx,
  tag: { handle: string; subjectId: string; createdByAppId: string },
  takenCode: TakenCode,
): Promise<TagRow> {
  const created = await insertTag(tx, tag);
  if (created === undefined) throw new DomainError(takenCode, `${tag.handle} is taken: choose another`);
  return created;
}

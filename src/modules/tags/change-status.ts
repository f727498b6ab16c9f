import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { lockOwnStatus, moveTag } from './store.ts';
import type { TagStatus } from './tag-status.ts';

/**
 * Suspends a tag, gives it back, or closes it. It stays locked until this transaction is over.
 *
 * @returns the status it had until now
 * @throws DomainError TAG_STATUS_CONFLICT when its status does not lead there
 */
export async function changeTagStatus(tx: Tx, id: string, next: TagStatus, now: Date): Promise<TagStatus> {
  const before = await lockOwnStatus(tx, id);
  if (before !== undefined && (await moveTag(tx, id, next, now))) return before;
  const status = before ?? 'unknown';
  throw new DomainError(
    'TAG_STATUS_CONFLICT',
    `this tag is ${status.toLowerCase()}: it cannot become ${next.toLowerCase()}`,
  );
}

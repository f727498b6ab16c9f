import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { lockOwnStatus, updateStatus } from './store.ts';
import type { TagStatus } from './tag-status.ts';

/**
 * Gives a tag a status, and keeps it locked until this transaction ends. What hangs on the tag is the caller's business.
 *
 * @returns the status it had until now
 * @throws DomainError TAG_STATUS_CONFLICT when its status does not lead there
 */
export async function transitionTag(tx: Tx, id: string, next: TagStatus, now: Date): Promise<TagStatus> {
  const before = await lockOwnStatus(tx, id);
  if (before !== undefined && (await updateStatus(tx, id, next, now))) return before;
  const status = before ?? 'unknown';
  throw new DomainError(
    'TAG_STATUS_CONFLICT',
    `this tag is ${status.toLowerCase()}: it cannot become ${next.toLowerCase()}`,
  );
}

import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { lockTagStatus } from '#modules/tags';
import type { TagPair } from './store.ts';

/**
 * Makes sure that both tags of a link are in use, and stay so until this transaction is over.
 *
 * @throws DomainError TAG_SUSPENDED
 */
export async function lockInUse(tx: Tx, { primaryTagId, linkedTagId }: TagPair): Promise<void> {
  for (const id of [primaryTagId, linkedTagId].toSorted()) {
    if ((await lockTagStatus(tx, id)) === 'ACTIVE') continue;
    throw new DomainError('TAG_SUSPENDED', 'one of the two tags is suspended: nothing can be agreed on it');
  }
}

import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findTag } from '#modules/tags';
import { type TagLifecycleDeps, transitionWithDependants } from './change-tag-status.ts';

/**
 * The application of a tag's owner closes it, for good.
 *
 * @throws DomainError TAG_NOT_FOUND; NOT_PERMITTED for another application; TAG_STATUS_CONFLICT while it is suspended
 */
export async function closeOwnTag(
  deps: TagLifecycleDeps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<void> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  if (found.ownerApp.id !== caller.id) throw new DomainError('NOT_PERMITTED', 'this tag is another application’s');
  await deps.transact(async (tx) => {
    // Checked under the lock: the operator may have suspended the tag since it was read.
    if ((await transitionWithDependants(tx, deps, found, 'CLOSED')) === 'SUSPENDED') {
      throw new DomainError('TAG_STATUS_CONFLICT', 'this tag is suspended: ask the operator');
    }
  });
}

import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type AuthenticatedApplication, payTagApplicationId } from '#modules/clients';
import { findTag, lockTagStatus } from '#modules/tags';
import type { TagPair } from './lock-store.ts';

/** Two tags that are to be linked. */
export interface NewPair extends TagPair {
  primaryAppId: string;
  /** `ada@acme` */
  primaryAddress: string;
  linkedAppId: string;
  /** The customer whose PayTag the linked tag is. */
  customerId: string | undefined;
}

/**
 * The two tags, of which the first must be the caller's.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, SELF_FEDERATION
 */
export async function findPair(
  db: Executor,
  keyring: Keyring,
  caller: AuthenticatedApplication,
  { address, secondaryTag }: { address: string; secondaryTag: string },
): Promise<NewPair> {
  const primary = await findTag(db, keyring, address);
  if (primary === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  if (primary.ownerApp.id !== caller.id) {
    throw new DomainError('NOT_PERMITTED', 'this tag belongs to another application');
  }
  const linked = await findTag(db, keyring, secondaryTag);
  if (linked === undefined) throw new DomainError('TAG_NOT_FOUND', 'secondaryTag: no tag has this address');
  if (linked.tag.id === primary.tag.id) throw new DomainError('SELF_FEDERATION', 'secondaryTag: is the same tag');
  return {
    primaryTagId: primary.tag.id,
    primaryAppId: caller.id,
    primaryAddress: `${primary.tag.handle}@${primary.ownerApp.namespace}`,
    linkedTagId: linked.tag.id,
    linkedAppId: linked.ownerApp.id,
    customerId: linked.ownerApp.id === payTagApplicationId ? linked.owner.externalId : undefined,
  };
}

/**
 * Makes sure that both tags of a link are active, and stay so until this transaction ends.
 *
 * @throws DomainError TAG_SUSPENDED
 */
export async function lockActivePair(tx: Tx, { primaryTagId, linkedTagId }: TagPair): Promise<void> {
  for (const id of [primaryTagId, linkedTagId].toSorted()) {
    if ((await lockTagStatus(tx, id)) === 'ACTIVE') continue;
    throw new DomainError('TAG_SUSPENDED', 'one of the two tags is suspended: nothing can be agreed on it');
  }
}

import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { parseAddress } from './handle.ts';
import { selectTagWithOwner, type TagWithOwner } from './store.ts';
import { verifiedTag } from './tag-route.ts';

/**
 * The tag of an address (`ada`, `@ada`, `ada@acme`) with its owner, the owner's application and the application that made it.
 * A suspended one is found; undefined for a closed tag, another namespace, and what cannot be an address.
 *
 * @throws AlteredRecord for one that is not as we stored it
 */
export async function findTag(db: Executor, keyring: Keyring, address: string): Promise<TagWithOwner | undefined> {
  const found = await findTagEvenClosed(db, address);
  return found === undefined || found.tag.status === 'CLOSED' ? undefined : verifiedTag(keyring, found);
}

/** The same, and a closed tag too while nobody else has its handle; as it stands, for whoever looks and does nothing by it. */
export async function findTagEvenClosed(db: Executor, address: string): Promise<TagWithOwner | undefined> {
  const { handle, namespace } = parseAddress(address);
  const found = handle === undefined ? undefined : await selectTagWithOwner(db, handle);
  return namespace !== undefined && namespace !== found?.ownerApp.namespace ? undefined : found;
}

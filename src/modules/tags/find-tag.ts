import type { Executor } from '#lib/database.ts';
import { parseAddress } from './handle.ts';
import { selectTagWithOwner, type TagWithOwner } from './store.ts';

/**
 * The tag of an address (`ada`, `@ada`, `ada@acme`) with its owner, the owner's application and the application that made it.
 * A suspended one is found; undefined for a closed tag, another namespace, and what cannot be an address.
 */
export async function findTag(db: Executor, address: string): Promise<TagWithOwner | undefined> {
  const found = await findTagEvenClosed(db, address);
  return found?.tag.status === 'CLOSED' ? undefined : found;
}

/** The same, and a closed tag too while nobody else has its handle. */
export async function findTagEvenClosed(db: Executor, address: string): Promise<TagWithOwner | undefined> {
  const { handle, namespace } = parseAddress(address);
  const found = handle === undefined ? undefined : await selectTagWithOwner(db, handle);
  return namespace !== undefined && namespace !== found?.ownerApp.namespace ? undefined : found;
}

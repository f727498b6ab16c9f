import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { type Claim, openClaims } from '#modules/claims';
import { findTag, type OwnedTag, toOwnedTag } from '#modules/tags';

/**
 * The tag of an address for the application of its owner: all that is known of her, and the claims on it that are approved
 * or pending, with their consent tokens. Undefined for any other application, which sees what anybody sees.
 */
export async function readOwnTag(
  deps: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  caller: AuthenticatedApplication,
  address: string,
): Promise<(OwnedTag & { activeClaims: Claim[] }) | undefined> {
  const found = await findTag(deps.db, address);
  if (found?.ownerApp.id !== caller.id) return undefined;
  return { ...toOwnedTag(deps.keyring, found), activeClaims: await openClaims(deps, found.tag.id) };
}

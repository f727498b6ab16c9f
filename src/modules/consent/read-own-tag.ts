import type { AuthenticatedApplication } from '#modules/clients';
import { findTag, type OwnedTag, toOwnedTag } from '#modules/tags';
import { type Claim, type ClaimReadDeps, toClaim } from './claim.ts';
import { selectOpenOfTag } from './claim-store.ts';
import { CLAIMS_MAX } from './directory-store.ts';

/**
 * The tag of an address for the application of its owner: everything about the owner, and the newest claims on it that
 * are approved or pending, with their consent tokens. Undefined for any other application, which sees what the public
 * sees (`Directory`).
 */
export async function readOwnTag(
  deps: ClaimReadDeps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<(OwnedTag & { activeClaims: Claim[] }) | undefined> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found?.ownerApp.id !== caller.id) return undefined;
  const open = await selectOpenOfTag(deps.db, { tagId: found.tag.id, limit: CLAIMS_MAX });
  const activeClaims = open.map((parts) => toClaim(deps, parts)).filter(({ state }) => state !== 'EXPIRED');
  return { ...toOwnedTag(deps.keyring, found), activeClaims };
}

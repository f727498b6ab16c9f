import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { findTag } from '#modules/tags';
import { type Claim, type ClaimReadDeps, toClaim } from './claim.ts';
import { selectOfTag, selectOfTagBy } from './store.ts';

/** The most in one answer. */
export const CLAIMS_MAX = 1_000;

/**
 * The claims on a tag that an application may see, newest first: the owner's application sees all, another its own. Of more than
 * CLAIMS_MAX the newest, and `isAll` is false.
 *
 * @throws DomainError TAG_NOT_FOUND
 */
export async function listClaims(
  deps: ClaimReadDeps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<{ claims: Claim[]; isAll: boolean }> {
  const found = await findTag(deps.db, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  const all = { tagId: found.tag.id, limit: CLAIMS_MAX + 1 };
  const seen =
    found.ownerApp.id === caller.id
      ? await selectOfTag(deps.db, all)
      : await selectOfTagBy(deps.db, { ...all, requestedByAppId: caller.id });
  const claims = seen.slice(0, CLAIMS_MAX).map((parts) => toClaim(deps, parts));
  return { claims, isAll: seen.length <= CLAIMS_MAX };
}

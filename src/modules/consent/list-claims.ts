import { DomainError } from '#lib/domain-error.ts';
import { pageOfRows } from '#lib/postgres/lists.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findTag } from '#modules/tags';
import { type Claim, type ClaimReadDeps, toClaim } from './claim.ts';
import { selectOfTag, selectOfTagBy } from './claim-store.ts';

/** The most in one answer. */
export const CLAIMS_MAX = 1_000;

/**
 * The claims on a tag that an application may see, newest first: the owner's application sees all, another its own.
 *
 * @param page `limit` claims, CLAIMS_MAX at most, behind the one of `cursor`
 * @returns `next`, the cursor of what follows; undefined with the last of them
 * @throws DomainError TAG_NOT_FOUND
 */
export async function listClaims(
  deps: ClaimReadDeps,
  caller: AuthenticatedApplication,
  address: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ claims: Claim[]; next: string | undefined }> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  const most = Math.min(limit, CLAIMS_MAX);
  const part = { tagId: found.tag.id, limit: most + 1, before: cursor };
  const seen =
    found.ownerApp.id === caller.id
      ? await selectOfTag(deps.db, part)
      : await selectOfTagBy(deps.db, { ...part, requestedByAppId: caller.id });
  const { items, next } = pageOfRows(seen, most, (parts) => parts.claim.id);
  return { claims: items.map((parts) => toClaim(deps, parts)), next };
}

import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findTag } from '#modules/tags';
import { type Federation, toLink } from './link.ts';
import { selectLinks, selectLinksTo } from './link-list-store.ts';
import { approvalUrlOf } from './link-request.ts';
import { assertLink } from './link-route.ts';
import { selectFederation } from './link-store.ts';

/** In one answer at most. */
const LINKS_MAX = 1_000;

type Deps = { db: Database; keyring: Keyring; clock: Clock; publicUrl: string };

/**
 * The federation of a tag with the links that an application may see: the application of the tag's owner all of them,
 * another those to tags of its own.
 *
 * @throws DomainError TAG_NOT_FOUND; FEDERATION_NOT_FOUND, also when there is no such link
 */
export async function getFederation(
  deps: Deps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<Federation> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  return readFederation(deps, found.tag.id, found.ownerApp.id === caller.id ? undefined : caller.id);
}

/**
 * @param linkedAppId whose links alone are shown; all of them without it
 * @throws DomainError FEDERATION_NOT_FOUND when there is nothing to show; AlteredRecord
 */
export async function readFederation(deps: Deps, primaryTagId: string, linkedAppId?: string): Promise<Federation> {
  const { db, clock } = deps;
  const all = { primaryTagId, limit: LINKS_MAX };
  const [federation, parts] = await Promise.all([
    selectFederation(db, primaryTagId),
    linkedAppId === undefined ? selectLinks(db, all) : selectLinksTo(db, { ...all, linkedAppId }),
  ]);
  const [first] = parts;
  if (federation === undefined || first === undefined) {
    throw new DomainError('FEDERATION_NOT_FOUND', 'nothing of yours is linked to this tag');
  }
  for (const { link } of parts) assertLink(deps.keyring, link);
  const now = clock.now();
  return {
    id: federation.id,
    primaryTag: first.primary.handle,
    links: parts.map((one) => toLink(now, one, approvalUrlOf(deps, one))),
    createdAt: federation.createdAt,
  };
}

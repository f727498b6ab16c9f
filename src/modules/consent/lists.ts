import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findTag, findTagEvenClosed } from '#modules/tags';
import { type Claim, type ClaimReadDeps, toClaim } from './claim.ts';
import { type ClaimFilter, type ShownParts, searchClaims, selectOfTag, selectOfTagBy } from './claim-store.ts';
import { type Link, toLink } from './link.ts';
import { type LinkFilter, type LinkParts, searchLinks } from './link-store.ts';
import { claimStateAt } from './states.ts';

/** The most claims in one answer. */
export const CLAIMS_MAX = 1_000;

/**
 * The claims on a tag that an application may see, newest first: the owner's application sees all, another its own.
 *
 * @param page `limit` claims, CLAIMS_MAX at most, after the one of `cursor`
 * @returns `next`, the cursor of the next page; undefined on the last one
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

type OperatorDeps = { db: Executor; clock: Clock };

/** A filter of the operator's, in which a tag is named by its handle. */
type ByTag<Filter> = Omit<Filter, 'tagId'> & { tag?: string | undefined } & PageRequest<string>;

/** A claim as the operator sees it: without what one could consent with. */
export type ClaimForOperator = Omit<Claim, 'consentToken' | 'approvalUrl'>;

/** Claims that match, newest first; none for a tag that does not exist. `count` is of all that match. */
export async function findClaims(
  { db, clock }: OperatorDeps,
  query: ByTag<ClaimFilter>,
): Promise<Listed<ClaimForOperator, string>> {
  const now = clock.now();
  const { items, ...listed } = await searchByTag(db, query, (filter, page) => searchClaims(db, filter, page, now));
  return { ...listed, items: items.map((parts) => toClaimForOperator(parts, now)) };
}

const toClaimForOperator = ({ claim, tag, requester, claimant }: ShownParts, now: Date): ClaimForOperator => ({
  id: claim.id,
  tagId: claim.tagId,
  tagString: tag.handle,
  subjectId: claim.subjectId,
  subjectExternalId: claimant.externalId,
  requestedByAppId: claim.requestedByAppId,
  requestedByAppName: requester.name,
  state: claimStateAt(now, claim),
  requestedAt: claim.requestedAt,
  approvedAt: claim.approvedAt ?? undefined,
  revokedAt: claim.revokedAt ?? undefined,
  tokenExpiresAt: claim.tokenExpiresAt,
});

/** A link of a federation as the operator sees it. */
export interface LinkForOperator extends Omit<Link, 'approvalUrl'> {
  primaryTag: string;
  primaryAppId: string;
  linkedAppId: string;
  method: LinkParts['link']['method'];
  verifiedAt: Date | undefined;
  expiresAt: Date;
  updatedAt: Date;
}

/** Links that match, newest first; none for a tag that does not exist. `count` is of all that match. */
export async function findLinks(
  { db, clock }: OperatorDeps,
  query: ByTag<LinkFilter>,
): Promise<Listed<LinkForOperator, string>> {
  const now = clock.now();
  const { items, ...listed } = await searchByTag(db, query, (filter, page) => searchLinks(db, filter, page, now));
  return { ...listed, items: items.map((parts) => toLinkForOperator(parts, now)) };
}

function toLinkForOperator(parts: LinkParts, now: Date): LinkForOperator {
  const { link, primary } = parts;
  const { approvalUrl: _approvalUrl, ...shown } = toLink(now, parts);
  return {
    ...shown,
    primaryTag: primary.handle,
    primaryAppId: link.primaryAppId,
    linkedAppId: link.linkedAppId,
    method: link.method,
    verifiedAt: link.verifiedAt ?? undefined,
    expiresAt: link.expiresAt,
    updatedAt: link.updatedAt,
  };
}

async function searchByTag<Filter, Found>(
  db: Executor,
  { tag, limit, offset, cursor, isUncounted, ...filter }: ByTag<Filter>,
  search: (
    filter: Omit<ByTag<Filter>, 'tag' | keyof PageRequest<string>> & { tagId: string | undefined },
    page: PageRequest<string>,
  ) => Promise<Listed<Found, string>>,
): Promise<Listed<Found, string>> {
  const found = tag === undefined ? undefined : await findTagEvenClosed(db, tag);
  if (tag !== undefined && found === undefined) return { items: [], count: 0, countIsExact: true, next: undefined };
  return search({ ...filter, tagId: found?.tag.id }, { limit, offset, cursor, isUncounted });
}

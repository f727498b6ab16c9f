import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { findTagEvenClosed } from '#modules/tags';
import type { Claim } from './claim.ts';
import { type ClaimFilter, selectClaims } from './claim-list-store.ts';
import { stateAt } from './claim-state.ts';
import type { ShownParts } from './claim-store.ts';

/** A claim as the operator sees it: nobody consents with what stands here. */
export type ClaimForOperator = Omit<Claim, 'consentToken' | 'approvalUrl'>;

/** Claims that match, newest first; none of a tag that nobody has. `count` is of all that match. */
export async function findClaims(
  { db, clock }: { db: Executor; clock: Clock },
  {
    tag,
    limit,
    offset,
    cursor,
    isUncounted,
    ...filter
  }: Omit<ClaimFilter, 'tagId'> & { tag?: string | undefined } & PageRequest<string>,
): Promise<Listed<ClaimForOperator, string>> {
  const found = tag === undefined ? undefined : await findTagEvenClosed(db, tag);
  if (tag !== undefined && found === undefined) return { items: [], count: 0, countIsExact: true, next: undefined };
  const now = clock.now();
  const page = { limit, offset, cursor, isUncounted };
  const { items, ...listed } = await selectClaims(db, { ...filter, tagId: found?.tag.id }, page, now);
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
  state: stateAt(now, claim),
  requestedAt: claim.requestedAt,
  approvedAt: claim.approvedAt ?? undefined,
  revokedAt: claim.revokedAt ?? undefined,
  tokenExpiresAt: claim.tokenExpiresAt,
});

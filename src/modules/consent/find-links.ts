import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { findTagEvenClosed } from '#modules/tags';
import { type Link, toLink } from './link.ts';
import type { LinkParts } from './link-store.ts';
import { type LinkFilter, selectLinks } from './search-store.ts';

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

/** Links that match, newest first; none of a tag that nobody has. `count` is of all that match. */
export async function findLinks(
  { db, clock }: { db: Executor; clock: Clock },
  {
    tag,
    limit,
    offset,
    cursor,
    isUncounted,
    ...filter
  }: Omit<LinkFilter, 'tagId'> & { tag?: string | undefined } & PageRequest<string>,
): Promise<Listed<LinkForOperator, string>> {
  const found = tag === undefined ? undefined : await findTagEvenClosed(db, tag);
  if (tag !== undefined && found === undefined) return { items: [], count: 0, countIsExact: true, next: undefined };
  const now = clock.now();
  const page = { limit, offset, cursor, isUncounted };
  const { items, ...listed } = await selectLinks(db, { ...filter, tagId: found?.tag.id }, page, now);
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

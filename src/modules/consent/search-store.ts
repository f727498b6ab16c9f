import { and, desc, eq, gte, lt, ne, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkParts, parts } from './link-store.ts';
import { link } from './tables.ts';

/** Which links are asked for. What is absent is not asked. */
export interface LinkFilter {
  /** On either side. */
  tagId?: string | undefined;
  /** Whose is a tag on either side. */
  applicationId?: string | undefined;
  status?: LinkStatus | undefined;
  /** Begun at this moment or later, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(link, 'l');

/** Either side of a link, each of which has an index; a link with the same on both counts once. */
function sidesOf({ tagId, applicationId }: LinkFilter): SQL[] | undefined {
  const sides = (
    [one, other]: [typeof row.primaryTagId | typeof row.primaryAppId, typeof row.linkedTagId | typeof row.linkedAppId],
    id: string,
  ) => [eq(one, id), and(eq(other, id), ne(one, id))].filter((side) => side !== undefined);
  if (tagId !== undefined) return sides([row.primaryTagId, row.linkedTagId], tagId);
  return applicationId === undefined ? undefined : sides([row.primaryAppId, row.linkedAppId], applicationId);
}

/** Links that match, newest first. */
export async function selectLinks(
  db: Executor,
  filter: LinkFilter,
  page: PageRequest<string>,
  now: Date,
): Promise<Listed<LinkParts, string>> {
  const { tagId, applicationId, status, from, to } = filter;
  const at = now.toISOString();
  const isOver = sql`(${row.status} = 'PENDING' and ${row.expiresAt} <= ${at}::timestamptz)`;
  const isOfBoth = tagId === undefined || applicationId === undefined;
  const matches = and(
    isOfBoth ? undefined : sql`${applicationId}::uuid in (${row.primaryAppId}, ${row.linkedAppId})`,
    status && sql`case when ${isOver} then 'EXPIRED' else ${row.status} end = ${status}`,
    from && gte(row.createdAt, from),
    to && lt(row.createdAt, to),
  );
  const walk = { name: 'links', filter, table: link, row, key: row.id, withinOneOf: sidesOf(filter), matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => parts(db).where(sql`${link.id} = any(array(${keys}))`).orderBy(desc(link.id)),
    keyOf: (one) => one.link.id,
  });
}

import { and, desc, eq, gte, lt, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import type { ClaimState } from './claim-state.ts';
import { type ShownParts, shownParts } from './claim-store.ts';
import { claim } from './tables.ts';

/** Which claims are asked for. What is absent is not asked. */
export interface ClaimFilter {
  tagId?: string | undefined;
  /** The application that asked. */
  requestedByAppId?: string | undefined;
  state?: ClaimState | undefined;
  /** Asked for at this moment or later, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(claim, 'c');

/** Claims that match, newest first. */
export async function selectClaims(
  db: Executor,
  filter: ClaimFilter,
  page: PageRequest<string>,
  now: Date,
): Promise<Listed<ShownParts, string>> {
  const { tagId, requestedByAppId, state, from, to } = filter;
  const at = now.toISOString();
  const isOver = sql`(${row.state} = 'PENDING' and ${row.tokenExpiresAt} <= ${at}::timestamptz)`;
  const within = and(
    tagId === undefined ? undefined : eq(row.tagId, tagId),
    requestedByAppId === undefined ? undefined : eq(row.requestedByAppId, requestedByAppId),
  );
  // What nobody has answered has an index, where no tag and no application is named.
  const isWaiting = state === 'PENDING' && within === undefined ? eq(row.state, state) : undefined;
  const matches = and(
    state && sql`case when ${isOver} then 'EXPIRED' else ${row.state} end = ${state}`,
    from && gte(row.requestedAt, from),
    to && lt(row.requestedAt, to),
  );
  return pageOfWalk(
    db,
    { name: 'claims', filter, table: claim, row, key: row.id, within: isWaiting ?? within, matches },
    page,
    {
      rows: (keys) => shownParts(db).where(sql`${claim.id} = any(array(${keys}))`).orderBy(desc(claim.id)),
      keyOf: (one) => one.claim.id,
    },
  );
}

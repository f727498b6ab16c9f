import { and, eq, lte, or, type SQL, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import type { LinkRow } from './link-store.ts';
import { link } from './tables.ts';

/** Two tags, in either order. */
export type TagPair = Pick<LinkRow, 'primaryTagId' | 'linkedTagId'>;

const between = ({ primaryTagId, linkedTagId }: Given<TagPair>) =>
  sql`least(${link.primaryTagId}, ${link.linkedTagId}) = least(${primaryTagId}::uuid, ${linkedTagId}::uuid)
      and greatest(${link.primaryTagId}, ${link.linkedTagId}) = greatest(${primaryTagId}::uuid, ${linkedTagId}::uuid)`;

/** Links that are pending past their time, oldest first, or the one between two tags; those that another transaction has locked are left out. */
export async function lockOverdue(
  tx: Tx,
  { now, limit, pair }: { now: Date; limit: number; pair?: TagPair },
): Promise<string[]> {
  const overdue = await (pair === undefined
    ? lockAllOverdue(tx, { now, limit })
    : lockOverdueBetween(tx, { now, limit, ...pair }));
  return overdue.map(({ id }) => id);
}

// Statuses are written out: by them an index is chosen.
const selectOverdue = (db: Executor, given: Given<{ now: Date; limit: number }>, pair?: SQL) =>
  db
    .select({ id: link.id })
    .from(link)
    .where(and(sql`${link.status} = 'PENDING'`, lte(link.expiresAt, given.now), pair))
    .orderBy(link.expiresAt)
    .limit(given.limit)
    .for('no key update', { skipLocked: true });

const lockAllOverdue = prepared('federations.lock-overdue', (db, given: Given<{ now: Date; limit: number }>) =>
  selectOverdue(db, given),
);
const lockOverdueBetween = prepared(
  'federations.lock-overdue-between',
  (db, given: Given<{ now: Date; limit: number } & TagPair>) => selectOverdue(db, given, between(given)),
);

/** The open links of a tag, on either side of it. Locked until the transaction ends. */
export async function lockOpenOfTag(tx: Tx, tagId: string): Promise<LinkRow[]> {
  return lockOpen(tx, { tagId });
}

const lockOpen = prepared('federations.lock-open', (db, given: Given<{ tagId: string }>) =>
  db
    .select()
    .from(link)
    .where(
      and(
        or(eq(link.primaryTagId, given.tagId), eq(link.linkedTagId, given.tagId)),
        sql`${link.status} in ('PENDING', 'VERIFIED')`,
      ),
    )
    .orderBy(link.id)
    .for('no key update'),
);

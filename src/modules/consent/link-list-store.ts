import { and, count, desc, eq, lt, sql } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { type LinkParts, parts } from './link-store.ts';
import { link } from './tables.ts';

/** The links to a primary tag, newest first. */
export const selectLinks = prepared('federations.links', (db, given: Given<{ primaryTagId: string; limit: number }>) =>
  parts(db).where(eq(link.primaryTagId, given.primaryTagId)).orderBy(desc(link.id)).limit(given.limit),
);

/** Those of them that lead to one application's tags. */
export const selectLinksTo = prepared(
  'federations.links-to',
  (db, given: Given<{ primaryTagId: string; linkedAppId: string; limit: number }>) =>
    parts(db)
      .where(and(eq(link.primaryTagId, given.primaryTagId), eq(link.linkedAppId, given.linkedAppId)))
      .orderBy(desc(link.id))
      .limit(given.limit),
);

/** The verified links to a tag, newest first. `count` is of all of them. */
export async function selectVerifiedTo(
  db: Executor,
  linkedTagId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ items: LinkParts[]; count: number }> {
  const [items, counted] = await Promise.all([
    before === undefined
      ? verifiedTo(db, { linkedTagId, limit })
      : verifiedToBefore(db, { linkedTagId, limit, before }),
    countVerified(db, { linkedTagId }),
  ]);
  return { items, count: counted?.count ?? 0 };
}

const isVerifiedTo = ({ linkedTagId }: Given<{ linkedTagId: string }>) =>
  and(eq(link.linkedTagId, linkedTagId), sql`${link.status} = 'VERIFIED'`);

const verifiedTo = prepared('federations.verified-to', (db, given: Given<{ linkedTagId: string; limit: number }>) =>
  parts(db).where(isVerifiedTo(given)).orderBy(desc(link.id)).limit(given.limit),
);

const verifiedToBefore = prepared(
  'federations.verified-to-before',
  (db, given: Given<{ linkedTagId: string; limit: number; before: string }>) =>
    parts(db)
      .where(and(isVerifiedTo(given), lt(link.id, given.before)))
      .orderBy(desc(link.id))
      .limit(given.limit),
);

const countVerified = preparedOne('federations.count-verified', (db, given: Given<{ linkedTagId: string }>) =>
  db.select({ count: count() }).from(link).where(isVerifiedTo(given)),
);

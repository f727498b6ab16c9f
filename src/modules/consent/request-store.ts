import { and, desc, eq, gt, lte, sql } from '#drizzle';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { ClaimRow } from './claim-store.ts';
import { claim } from './tables.ts';

/** Of all open claims one at most has each key. */
export type ClaimKey = Pick<ClaimRow, 'tagId' | 'subjectId' | 'requestedByAppId'>;

type Asking = Pick<ClaimKey, 'tagId' | 'requestedByAppId'>;

/**
 * When the `nth` newest of the claims that an application asked for on a tag since then was asked for, if there is one.
 * Until this transaction ends, no other makes a claim of this application on this tag.
 */
export async function lockNthNewest(
  tx: Tx,
  { tagId, requestedByAppId, since }: Asking & { since: Date },
  nth: number,
): Promise<Date | undefined> {
  const [, found] = await Promise.all([
    lockRequests(tx, [`claims.ask:${tagId}:${requestedByAppId}`]),
    newerThan(tx, { tagId, requestedByAppId, since, before: nth - 1 }),
  ]);
  return found?.requestedAt;
}

const lockRequests = preparedText('claims.lock-requests', 'select pg_advisory_xact_lock(hashtextextended($1, 0))');

const newerThan = preparedOne('claims.nth-newest', (db, given: Given<Asking & { since: Date; before: number }>) =>
  db
    .select({ requestedAt: claim.requestedAt })
    .from(claim)
    .where(
      and(
        eq(claim.tagId, given.tagId),
        eq(claim.requestedByAppId, given.requestedByAppId),
        gt(claim.requestedAt, given.since),
      ),
    )
    .orderBy(desc(claim.requestedAt))
    .offset(given.before)
    .limit(1),
);

/** The pending claim with this key whose token has expired, if there is one, locked, unless another transaction has locked it. */
export async function lockOverdueOf(tx: Tx, key: ClaimKey, now: Date): Promise<string | undefined> {
  return (await overdueOf(tx, { ...key, now }))?.id;
}

const overdueOf = preparedOne('claims.overdue-of', (db, given: Given<ClaimKey & { now: Date }>) =>
  db
    .select({ id: claim.id })
    .from(claim)
    .where(
      and(
        sql`${claim.state} = 'PENDING'`,
        lte(claim.tokenExpiresAt, given.now),
        eq(claim.tagId, given.tagId),
        eq(claim.subjectId, given.subjectId),
        eq(claim.requestedByAppId, given.requestedByAppId),
      ),
    )
    .orderBy(claim.tokenExpiresAt)
    .limit(1)
    .for('no key update', { skipLocked: true }),
);

type NewClaim = Pick<
  ClaimRow,
  | 'id'
  | 'tagId'
  | 'subjectId'
  | 'requestedByAppId'
  | 'tokenDigest'
  | 'tokenSealed'
  | 'tokenExpiresAt'
  | 'requestedAt'
  | 'returnUrl'
  | 'routingMac'
>;

/** The new claim's id, or undefined when the application has an open one on this tag for this subject. */
export async function insertClaim(tx: Tx, values: NewClaim): Promise<string | undefined> {
  return (await insert(tx, values))?.id;
}

const insert = preparedOne('claims.insert', (db, given: Given<NewClaim>) =>
  db
    .insert(claim)
    .values({
      id: given.id,
      tagId: given.tagId,
      subjectId: given.subjectId,
      requestedByAppId: given.requestedByAppId,
      tokenDigest: given.tokenDigest,
      tokenSealed: given.tokenSealed,
      tokenExpiresAt: given.tokenExpiresAt,
      requestedAt: given.requestedAt,
      returnUrl: sql`${given.returnUrl}`,
      updatedAt: given.requestedAt,
      routingMac: given.routingMac,
    })
    .onConflictDoNothing({
      target: [claim.tagId, claim.subjectId, claim.requestedByAppId],
      where: sql`${claim.state} in ('PENDING', 'APPROVED')`,
    })
    .returning({ id: claim.id }),
);

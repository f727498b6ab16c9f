import { and, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application, subject } from '#modules/clients';
import { tag } from '#modules/tags';
import { type ClaimState, claimStates, claimTransitions } from './states.ts';
import { claim } from './tables.ts';

export type ClaimRow = typeof claim.$inferSelect;

/** A claim with its tag, the owner of the tag and their application, the requester and its subject. */
export type ClaimParts = Awaited<ReturnType<typeof parts>>[number];

const owner = alias(subject, 'owner');

const ownerApp = alias(application, 'owner_app');

const parts = (db: Executor) =>
  db
    .select({
      claim,
      tag: { handle: tag.handle, status: tag.status },
      owner: { id: owner.id, externalId: owner.externalId },
      ownerApp: { id: ownerApp.id, name: ownerApp.name, namespace: ownerApp.namespace, status: ownerApp.status },
      requester: {
        name: application.name,
        namespace: application.namespace,
        imageUrl: application.imageUrl,
        status: application.status,
      },
      claimant: { externalId: subject.externalId, displayName: subject.displayName },
    })
    .from(claim)
    .innerJoin(tag, eq(tag.id, claim.tagId))
    .innerJoin(owner, eq(owner.id, tag.subjectId))
    .innerJoin(ownerApp, eq(ownerApp.id, owner.applicationId))
    .innerJoin(application, eq(application.id, claim.requestedByAppId))
    .innerJoin(subject, eq(subject.id, claim.subjectId));

export type ShownParts = Awaited<ReturnType<typeof shownParts>>[number];

/** Claims with the columns that lists show: reading the others as well takes half as long again. */
const shownParts = (db: Executor) =>
  db
    .select({
      claim: {
        id: claim.id,
        tagId: claim.tagId,
        subjectId: claim.subjectId,
        requestedByAppId: claim.requestedByAppId,
        state: claim.state,
        tokenSealed: claim.tokenSealed,
        tokenExpiresAt: claim.tokenExpiresAt,
        requestedAt: claim.requestedAt,
        approvedAt: claim.approvedAt,
        revokedAt: claim.revokedAt,
      },
      tag: { handle: tag.handle },
      requester: { name: application.name },
      claimant: { externalId: subject.externalId },
    })
    .from(claim)
    .innerJoin(tag, eq(tag.id, claim.tagId))
    .innerJoin(application, eq(application.id, claim.requestedByAppId))
    .innerJoin(subject, eq(subject.id, claim.subjectId));

const byToken = preparedOne('claims.by-token', (db, given: Given<{ tokenDigest: Buffer }>) =>
  parts(db).where(eq(claim.tokenDigest, given.tokenDigest)),
);

const byId = preparedOne('claims.by-id', (db, given: Given<{ id: string }>) => parts(db).where(eq(claim.id, given.id)));

/** The claim of a consent token. */
export const selectByToken = (db: Executor, tokenDigest: Buffer): Promise<ClaimParts | undefined> =>
  byToken(db, { tokenDigest });

/** The claim with this id. */
export const selectById = (db: Executor, id: string): Promise<ClaimParts | undefined> => byId(db, { id });

interface OnTag {
  tagId: string;
  limit: number;
}

/** A page of the claims on a tag: those before the claim of `before`. */
export interface PartOfTag extends OnTag {
  before?: string | undefined;
}

/** The most claims of one tag in a shared read; a tag with more is read alone. */
const TOGETHER_MAX = 100;

const selectOfTags = prepared('claims.of-tags', (db, given: Given<{ tagIds: readonly string[]; limit: number }>) =>
  shownParts(db)
    .where(
      sql`${claim.id} = any(array(select k.id from unnest(${given.tagIds}::uuid[]) t (id) cross join lateral (
        select c.id from claims.claim c where c.tag_id = t.id order by c.id desc limit ${given.limit}) k))`,
    )
    .orderBy(desc(claim.id)),
);

const selectFewOfTag = gathered<string, { ordinal: number; claims: ShownParts[] }>(async (db, tagIds) => {
  const found = await selectOfTags(db, { tagIds: [...new Set(tagIds)], limit: TOGETHER_MAX + 1 });
  const byTag = Map.groupBy(found, (one) => one.claim.tagId);
  return placed(tagIds, (id) => ({ claims: byTag.get(id) ?? [] }));
});

/** The claims on a tag, newest first. Requests for the newest at the same moment share a statement. */
export async function selectOfTag(db: Executor, { tagId, limit, before }: PartOfTag): Promise<ShownParts[]> {
  if (before !== undefined) return selectManyOfTag(db, { tagId, limit, before });
  const claims = (await selectFewOfTag(db, tagId))?.claims ?? [];
  const isAll = claims.length <= TOGETHER_MAX;
  return isAll || limit <= claims.length
    ? claims.slice(0, limit)
    : selectManyOfTag(db, { tagId, limit, before: LAST_ID });
}

/** Greater than the id of any claim. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

// The sub-selects hide from PostgreSQL which tag it is and how many are wanted: it plans for any tag, and reads the keys by the index
// that gives them in this order. Of a tag that has many it walks along the ids of all claims else, past those of all other tags.
const selectManyOfTag = prepared('claims.of-tag', (db, given: Given<Required<PartOfTag>>) =>
  shownParts(db)
    .where(
      sql`${claim.id} = any(array(select c.id from claims.claim c
        where c.tag_id = (select ${given.tagId}::uuid) and c.id < ${given.before}
        order by c.id desc limit (select ${given.limit}::int)))`,
    )
    .orderBy(desc(claim.id)),
);

// In the order of application and id, which one index alone gives: by the id alone it would be read by that of all claims on the tag.
const selectManyOfTagBy = prepared(
  'claims.of-tag-by',
  (db, given: Given<Required<PartOfTag> & { requestedByAppId: string }>) =>
    shownParts(db)
      .where(
        sql`${claim.id} = any(array(select c.id from claims.claim c
          where c.tag_id = (select ${given.tagId}::uuid) and c.requested_by_app_id >= ${given.requestedByAppId}
            and (c.requested_by_app_id, c.id) < (${given.requestedByAppId}, ${given.before})
          order by c.requested_by_app_id desc, c.id desc limit (select ${given.limit}::int)))`,
      )
      .orderBy(desc(claim.id)),
);

/** The claims on a tag of one requester, newest first. */
export const selectOfTagBy = (
  db: Executor,
  { before = LAST_ID, ...of }: PartOfTag & { requestedByAppId: string },
): Promise<ShownParts[]> => selectManyOfTagBy(db, { ...of, before });

/** The claims on a tag that are pending or approved, newest first. */
export const selectOpenOfTag = prepared('claims.open-of-tag', (db, given: Given<OnTag>) =>
  shownParts(db)
    .where(and(eq(claim.tagId, given.tagId), isOpen()))
    .orderBy(desc(claim.id))
    .limit(given.limit),
);

const isOpen = () => sql`${claim.state} in ('PENDING', 'APPROVED')`;

interface Owner {
  applicationId: string;
  externalId: string;
}

/** The approved claims on the tags of a subject, newest first, from the one before `before` on. `count` is of all of them. */
export async function selectApprovedOfOwner(
  db: Executor,
  owned: Owner,
  { limit, before = LAST_ID }: { limit: number; before?: string | undefined },
): Promise<{ items: ClaimParts[]; count: number }> {
  const [items, counted] = await Promise.all([
    approvedOfOwner(db, { ...owned, limit, before }),
    countApproved(db, owned),
  ]);
  return { items, count: counted?.count ?? 0 };
}

const isApprovedOf = (db: Executor, given: Given<Owner>) =>
  and(
    sql`${claim.state} = 'APPROVED'`,
    inArray(
      claim.tagId,
      db
        .select({ id: tag.id })
        .from(tag)
        .innerJoin(subject, eq(subject.id, tag.subjectId))
        .where(and(eq(subject.applicationId, given.applicationId), eq(subject.externalId, given.externalId))),
    ),
  );

const approvedOfOwner = prepared(
  'claims.approved-of-owner',
  (db, given: Given<Owner & { limit: number; before: string }>) =>
    parts(db)
      .where(and(isApprovedOf(db, given), lt(claim.id, given.before)))
      .orderBy(desc(claim.id))
      .limit(given.limit),
);

const countApproved = preparedOne('claims.count-approved', (db, given: Given<Owner>) =>
  db.select({ count: count() }).from(claim).where(isApprovedOf(db, given)),
);

/** The claims on a tag that are pending or approved, oldest first, locked until this transaction ends. */
export const lockOpenOfTag = (tx: Tx, tagId: string) => lockOpen(tx, { tagId });

const lockOpen = prepared('claims.lock-open', (db, given: Given<{ tagId: string }>) =>
  db
    .select({ id: claim.id, state: claim.state, tokenExpiresAt: claim.tokenExpiresAt })
    .from(claim)
    .where(and(eq(claim.tagId, given.tagId), isOpen()))
    .orderBy(claim.id)
    .for('no key update'),
);

interface Move {
  id: string;
  now: Date;
  /** For APPROVED only: no other transition changes a column under the MAC. */
  routingMac?: Buffer | undefined;
}

const stamps = (next: ClaimState, { now, routingMac }: Given<Required<Move>>) => ({
  state: next,
  tokenSealed: null,
  updatedAt: sql`${now}`,
  ...(next === 'APPROVED' && { approvedAt: sql`${now}`, routingMac: sql`${routingMac}` }),
  ...(next === 'REVOKED' && { revokedAt: sql`${now}` }),
});

/** A pending claim whose token has expired becomes EXPIRED and nothing else, and does so no earlier. */
const inTime = (next: ClaimState, { now }: Given<{ now: Date }>) => {
  if (next === 'EXPIRED') return lte(claim.tokenExpiresAt, now);
  return next === 'REVOKED' ? undefined : gt(claim.tokenExpiresAt, now);
};

const moveTo = (next: ClaimState) =>
  prepared(`claims.to-${next.toLowerCase()}`, (db, given: Given<Required<Move>>) =>
    db
      .update(claim)
      .set(stamps(next, given))
      .where(
        and(eq(claim.id, given.id), inArray(claim.state, statesLeadingTo(claimTransitions, next)), inTime(next, given)),
      )
      .returning({ id: claim.id }),
  );

/** One statement for each state. */
const moves = Object.fromEntries(claimStates.map((next) => [next, moveTo(next)])) as Record<
  ClaimState,
  ReturnType<typeof moveTo>
>;

/** Gives a claim a state, if its own leads there. Of several transactions at the same time one does. False for the others. */
export async function updateState(
  tx: Tx,
  { id, next, now, routingMac }: Move & { next: ClaimState },
): Promise<boolean> {
  return (await moves[next](tx, { id, now, routingMac })).length === 1;
}

/** Pending claims whose token has expired, oldest first, locked; those that another transaction has locked are left out. */
export async function lockOverdue(tx: Tx, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  return (await overdue(tx, { now, limit })).map(({ id }) => id);
}

const isOverdue = ({ now }: Given<{ now: Date }>) =>
  and(sql`${claim.state} = 'PENDING'`, lte(claim.tokenExpiresAt, now));

const overdue = prepared('claims.overdue', (db, given: Given<{ now: Date; limit: number }>) =>
  db
    .select({ id: claim.id })
    .from(claim)
    .where(isOverdue(given))
    .orderBy(claim.tokenExpiresAt)
    .limit(given.limit)
    .for('no key update', { skipLocked: true }),
);

/** The claim, locked until this transaction ends. */
export async function lockClaim(tx: Tx, id: string): Promise<ClaimRow> {
  const locked = await lock(tx, { id });
  if (locked === undefined) throw new Error('a claim is never deleted');
  return locked;
}

const lock = preparedOne('claims.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(claim).where(eq(claim.id, given.id)).for('no key update'),
);

/** The pending claims on a tag that its owner confirmed in person, locked until this transaction ends. */
export const lockConfirmed = prepared('claims.lock-confirmed', (db, given: Given<{ tagId: string }>) =>
  db
    .select()
    .from(claim)
    .where(and(eq(claim.tagId, given.tagId), eq(claim.state, 'PENDING'), isNotNull(claim.ownerConfirmedAt)))
    .orderBy(claim.id)
    .for('no key update'),
);

/** What a claim holds that its owner has not confirmed in person. */
export const NOT_CONFIRMED = { ownerConfirmedAt: null, ownerConfirmedBy: null };

export const forgetConfirmation = prepared(
  'claims.forget-confirmation',
  (db, given: Given<{ id: string; routingMac: Buffer; now: Date }>) =>
    db
      .update(claim)
      .set({ ...NOT_CONFIRMED, routingMac: sql`${given.routingMac}`, updatedAt: sql`${given.now}` })
      .where(eq(claim.id, given.id)),
);

/** Records the owner's consent on a pending claim, once. False when it is recorded already, or the claim not pending. */
export async function recordConfirmation(tx: Tx, id: string, confirmation: Confirmation, now: Date): Promise<boolean> {
  return (await confirm(tx, { id, ...confirmation, now })).length === 1;
}

interface Confirmation {
  ownerConfirmedAt: Date;
  ownerConfirmedBy: NonNullable<ClaimRow['ownerConfirmedBy']>;
  routingMac: Buffer;
}

const confirm = prepared('claims.confirm', (db, given: Given<Confirmation & { id: string; now: Date }>) =>
  db
    .update(claim)
    .set({
      ownerConfirmedAt: sql`${given.ownerConfirmedAt}`,
      ownerConfirmedBy: sql`${given.ownerConfirmedBy}`,
      routingMac: sql`${given.routingMac}`,
      updatedAt: sql`${given.now}`,
    })
    .where(
      and(
        eq(claim.id, given.id),
        eq(claim.state, 'PENDING'),
        gt(claim.tokenExpiresAt, given.now),
        isNull(claim.ownerConfirmedAt),
      ),
    )
    .returning({ id: claim.id }),
);

/** Counts an attempt to prove the owner. False when there were `max` already, however many come at the same time. */
export async function countAttempt(db: Executor, id: string, max: number): Promise<boolean> {
  return (await attempt(db, { id, max })).length === 1;
}

const attempt = prepared('claims.count-attempt', (db, given: Given<{ id: string; max: number }>) =>
  db
    .update(claim)
    .set({ proofAttempts: sql`${claim.proofAttempts} + 1` })
    .where(and(eq(claim.id, given.id), lt(claim.proofAttempts, given.max)))
    .returning({ id: claim.id }),
);

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

/** The new claim's id; undefined when the application has an open one on this tag for this subject. */
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

/** Which claims match; an absent member matches all. */
export interface ClaimFilter {
  tagId?: string | undefined;
  /** The application that asked. */
  requestedByAppId?: string | undefined;
  state?: ClaimState | undefined;
  /** Requested from `from` on and before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(claim, 'c');

/** Claims that match, newest first. */
export async function searchClaims(
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
  // Pending claims have an index of their own, for a search without tag and application.
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

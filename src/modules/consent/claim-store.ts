import { and, count, desc, eq, inArray, lt, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { application, subject } from '#modules/clients';
import { tag } from '#modules/tags';
import { claim } from './tables.ts';

export type ClaimRow = typeof claim.$inferSelect;
/** A claim with its tag, the owner of the tag and their application, the application that asked and its subject. */
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

/** What a claim is shown by, which is less. */
export type ShownParts = Awaited<ReturnType<typeof shownParts>>[number];

/** Claims with what they are shown by: two thirds of their columns, each of which takes its time. */
export const shownParts = (db: Executor) =>
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
/** A part of the claims on a tag: those that are older than the claim of this id, where one is given. */
export interface PartOfTag extends OnTag {
  before?: string | undefined;
}
/** Of each tag, so many are read for all who ask at the same moment. Who has more is read alone. */
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

/** The claims on a tag, newest first. Those who ask for the newest at the same moment share a statement. */
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

/** Those of them that one application asked for. */
export const selectOfTagBy = (
  db: Executor,
  { before = LAST_ID, ...of }: PartOfTag & { requestedByAppId: string },
): Promise<ShownParts[]> => selectManyOfTagBy(db, { ...of, before });

/** Those of them that are pending or approved. */
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

/** The approved claims on the tags of a subject, newest first. `count` is of all of them. */
export async function selectApprovedOfOwner(
  db: Executor,
  owned: Owner,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ items: ClaimParts[]; count: number }> {
  const [items, counted] = await Promise.all([
    before === undefined
      ? approvedOfOwner(db, { ...owned, limit })
      : approvedOfOwnerBefore(db, { ...owned, limit, before }),
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

const approvedOfOwner = prepared('claims.approved-of-owner', (db, given: Given<Owner & { limit: number }>) =>
  parts(db).where(isApprovedOf(db, given)).orderBy(desc(claim.id)).limit(given.limit),
);

const approvedOfOwnerBefore = prepared(
  'claims.approved-of-owner-before',
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

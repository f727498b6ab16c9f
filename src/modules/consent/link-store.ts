import { and, count, desc, eq, gt, gte, inArray, lt, lte, ne, or, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application } from '#modules/clients';
import { tag } from '#modules/tags';
import { type LinkStatus, linkStatuses, linkTransitions } from './states.ts';
import { federation, link } from './tables.ts';

export type LinkRow = typeof link.$inferSelect;

export type FederationRow = typeof federation.$inferSelect;

export type LinkParts = Awaited<ReturnType<typeof parts>>[number];

const primary = alias(tag, 'primary_tag');

const linked = alias(tag, 'linked_tag');

const primaryApp = alias(application, 'primary_app');

const linkedApp = alias(application, 'linked_app');

/** Links with their tags and applications. */
export const parts = (db: Executor) =>
  db
    .select({
      link,
      primary: { handle: primary.handle, subjectId: primary.subjectId },
      linked: { handle: linked.handle },
      primaryApp: {
        id: primaryApp.id,
        name: primaryApp.name,
        namespace: primaryApp.namespace,
        status: primaryApp.status,
      },
      linkedApp: { id: linkedApp.id, namespace: linkedApp.namespace },
    })
    .from(link)
    .innerJoin(primary, eq(primary.id, link.primaryTagId))
    .innerJoin(linked, eq(linked.id, link.linkedTagId))
    .innerJoin(primaryApp, eq(primaryApp.id, link.primaryAppId))
    .innerJoin(linkedApp, eq(linkedApp.id, link.linkedAppId));

/** A link with its tags and applications. */
export const selectLink = (db: Executor, id: string): Promise<LinkParts | undefined> => byId(db, { id });

const byId = preparedOne('federations.link', (db, given: Given<{ id: string }>) =>
  parts(db).where(eq(link.id, given.id)),
);

/** The federation of a primary tag. */
export const selectFederation = (db: Executor, primaryTagId: string): Promise<FederationRow | undefined> =>
  federationOf(db, { primaryTagId });

const federationOf = preparedOne('federations.federation', (db, given: Given<{ primaryTagId: string }>) =>
  db.select().from(federation).where(eq(federation.primaryTagId, given.primaryTagId)),
);

/** The federation of a tag, made when it has none; of several transactions at the same time one makes it. */
export async function ensureFederation(tx: Tx, primaryTagId: string, createdAt: Date): Promise<FederationRow> {
  const [, found] = await Promise.all([
    insertFederation(tx, { primaryTagId, createdAt }),
    selectFederation(tx, primaryTagId),
  ]);
  if (found === undefined) throw new Error('a federation is never deleted');
  return found;
}

const insertFederation = prepared('federations.insert', (db, given: Given<{ primaryTagId: string; createdAt: Date }>) =>
  db.insert(federation).values({ primaryTagId: given.primaryTagId, createdAt: given.createdAt }).onConflictDoNothing(),
);

/** An id for a new link, known before its code is digested. */
export async function newLinkId(tx: Tx): Promise<string> {
  const [row] = await uuid(tx, []);
  if (row === undefined) throw new Error('a select of a value returned none');
  return row.id;
}

const uuid = preparedText<{ id: string }>('federations.uuid', 'select uuidv7() as id');

type NewLink = Pick<
  LinkRow,
  | 'id'
  | 'federationId'
  | 'primaryTagId'
  | 'primaryAppId'
  | 'linkedTagId'
  | 'linkedAppId'
  | 'method'
  | 'tokenDigest'
  | 'expiresAt'
  | 'returnUrl'
  | 'createdAt'
  | 'routingMac'
>;

/** False when a link is open between the two tags already, in either direction. */
export async function insertLink(tx: Tx, values: NewLink): Promise<boolean> {
  return (await insert(tx, values)).length === 1;
}

const insert = prepared('federations.insert-link', (db, given: Given<NewLink>) =>
  db
    .insert(link)
    .values({
      id: given.id,
      federationId: given.federationId,
      primaryTagId: given.primaryTagId,
      primaryAppId: given.primaryAppId,
      linkedTagId: given.linkedTagId,
      linkedAppId: given.linkedAppId,
      method: given.method,
      tokenDigest: sql`${given.tokenDigest}`,
      expiresAt: given.expiresAt,
      returnUrl: sql`${given.returnUrl}`,
      createdAt: given.createdAt,
      updatedAt: given.createdAt,
      routingMac: given.routingMac,
    })
    .onConflictDoNothing()
    .returning({ id: link.id }),
);

/** Deletes a link whose challenge was not delivered. */
export async function deleteUnsent(db: Executor, id: string): Promise<void> {
  await deleteIfPending(db, { id });
}

const deleteIfPending = prepared('federations.delete-unsent', (db, given: Given<{ id: string }>) =>
  db.delete(link).where(and(eq(link.id, given.id), eq(link.status, 'PENDING'))),
);

/** The link. Locked until the transaction ends. */
export const lockLink = (tx: Tx, id: string): Promise<LinkRow | undefined> => lockById(tx, { id });

const lockById = preparedOne('federations.lock-link', (db, given: Given<{ id: string }>) =>
  db.select().from(link).where(eq(link.id, given.id)).for('no key update'),
);

/** Counts a wrong answer to the challenge of a link that is locked. @returns how many there are now */
export async function countFailure(tx: Tx, { id, failures }: LinkRow, now: Date): Promise<number> {
  const counted = failures + 1;
  await setFailures(tx, { id, failures: counted, now });
  return counted;
}

const setFailures = prepared(
  'federations.set-failures',
  (db, given: Given<{ id: string; failures: number; now: Date }>) =>
    db
      .update(link)
      .set({ failures: sql`${given.failures}`, updatedAt: sql`${given.now}` })
      .where(eq(link.id, given.id)),
);

/** Counts an attempt to prove the linked tag's owner. False when there were `max` already, however many come at the same time. */
export async function countProofAttempt(db: Executor, id: string, max: number): Promise<boolean> {
  return (await attempt(db, { id, max })).length === 1;
}

const attempt = prepared('federations.count-attempt', (db, given: Given<{ id: string; max: number }>) =>
  db
    .update(link)
    .set({ proofAttempts: sql`${link.proofAttempts} + 1` })
    .where(and(eq(link.id, given.id), lt(link.proofAttempts, given.max)))
    .returning({ id: link.id }),
);

/** What verified a link, with its MAC. */
export interface Verification {
  verifiedAt: Date;
  verifiedBy: string;
  routingMac: Buffer;
}

interface Move {
  id: string;
  now: Date;
}

/** Past its expiry a pending link becomes EXPIRED and nothing else, and not before. */
const inTime = (next: LinkStatus, { now }: Given<Move>) => {
  if (next === 'EXPIRED') return lte(link.expiresAt, now);
  const open = gt(link.expiresAt, now);
  return next === 'REVOKED' ? or(eq(link.status, 'VERIFIED'), open) : open;
};

const moveTo = (next: LinkStatus) =>
  prepared(`federations.to-${next.toLowerCase()}`, (db, given: Given<Move & Partial<Verification>>) =>
    db
      .update(link)
      .set({
        status: next,
        tokenDigest: null,
        updatedAt: sql`${given.now}`,
        ...(next === 'VERIFIED' && {
          verifiedAt: sql`${given.verifiedAt}`,
          verifiedBy: sql`${given.verifiedBy}`,
          routingMac: sql`${given.routingMac}`,
        }),
      })
      .where(
        and(eq(link.id, given.id), inArray(link.status, statesLeadingTo(linkTransitions, next)), inTime(next, given)),
      )
      .returning({ id: link.id }),
  );

/** One statement for each status. */
const moves = Object.fromEntries(linkStatuses.map((next) => [next, moveTo(next)])) as Record<
  LinkStatus,
  ReturnType<typeof moveTo>
>;

/** Gives a link a status, if its own leads there. Of several transactions at the same time one does. False for the others. */
export async function updateStatus(
  tx: Tx,
  id: string,
  { next, now, verification }: { next: LinkStatus; now: Date; verification?: Verification | undefined },
): Promise<boolean> {
  return (await moves[next](tx, { id, now, ...verification })).length === 1;
}

/** Two tags, in either order. */
export type TagPair = Pick<LinkRow, 'primaryTagId' | 'linkedTagId'>;

const between = ({ primaryTagId, linkedTagId }: Given<TagPair>) =>
  sql`least(${link.primaryTagId}, ${link.linkedTagId}) = least(${primaryTagId}::uuid, ${linkedTagId}::uuid)
      and greatest(${link.primaryTagId}, ${link.linkedTagId}) = greatest(${primaryTagId}::uuid, ${linkedTagId}::uuid)`;

/** Links that are pending past their expiry, oldest first, locked; those that another transaction has locked are left out. */
export async function lockOverdueLinks(tx: Tx, given: { now: Date; limit: number }): Promise<string[]> {
  return (await lockAllOverdue(tx, given)).map(({ id }) => id);
}

/** The same for the link between two tags. */
export async function lockOverdueBetween(tx: Tx, { primaryTagId, linkedTagId }: TagPair, now: Date): Promise<string[]> {
  return (await lockBetween(tx, { primaryTagId, linkedTagId, now, limit: 1 })).map(({ id }) => id);
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

const lockBetween = prepared(
  'federations.lock-overdue-between',
  (db, given: Given<{ now: Date; limit: number } & TagPair>) => selectOverdue(db, given, between(given)),
);

/** The open links of a tag, on either side of it. Locked until the transaction ends. */
export const lockOpenLinksOfTag = prepared('federations.lock-open', (db, given: Given<{ tagId: string }>) =>
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

/** The links of a primary tag, newest first. */
export const selectLinksOf = prepared(
  'federations.links',
  (db, given: Given<{ primaryTagId: string; limit: number }>) =>
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

/** The verified links to a tag, newest first, from the one before `before` on. `count` is of all of them. */
export async function selectVerifiedTo(
  db: Executor,
  linkedTagId: string,
  { limit, before = LAST_ID }: { limit: number; before?: string | undefined },
): Promise<{ items: LinkParts[]; count: number }> {
  const [items, counted] = await Promise.all([
    verifiedTo(db, { linkedTagId, limit, before }),
    countVerified(db, { linkedTagId }),
  ]);
  return { items, count: counted?.count ?? 0 };
}

/** Greater than the id of any link. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const isVerifiedTo = ({ linkedTagId }: Given<{ linkedTagId: string }>) =>
  and(eq(link.linkedTagId, linkedTagId), sql`${link.status} = 'VERIFIED'`);

const verifiedTo = prepared(
  'federations.verified-to',
  (db, given: Given<{ linkedTagId: string; limit: number; before: string }>) =>
    parts(db)
      .where(and(isVerifiedTo(given), lt(link.id, given.before)))
      .orderBy(desc(link.id))
      .limit(given.limit),
);

const countVerified = preparedOne('federations.count-verified', (db, given: Given<{ linkedTagId: string }>) =>
  db.select({ count: count() }).from(link).where(isVerifiedTo(given)),
);

/** Which links match; an absent member matches all. */
export interface LinkFilter {
  /** On either side. */
  tagId?: string | undefined;
  /** The owner’s of a tag on either side. */
  applicationId?: string | undefined;
  status?: LinkStatus | undefined;
  /** Started from `from` on and before `to`. */
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
export async function searchLinks(
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

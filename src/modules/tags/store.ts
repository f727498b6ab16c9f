import { and, desc, eq, gt, gte, inArray, isNull, lt, lte, or, type Placeholder, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import {
  assertAuthentic,
  type RoutingFacts,
  type RowInSql,
  readRow,
  routingMacOf,
  type Vouched,
} from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { timeOrderedId } from '#lib/random.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application, subject, subjectRoute } from '#modules/clients';
import { DRAWN_DIGITS, NAMED_NUMBER, NUMBER, WRITTEN_NUMBER } from '#modules/reserved-names';
import { quarantineEnd, type TagStatus, tagTransitions } from './handle.ts';
import { tag } from './tables.ts';

export type TagRow = typeof tag.$inferSelect;

type ApplicationStatus = typeof application.$inferSelect.status;

export type TagWithOwner = Awaited<ReturnType<typeof withOwner>>[number];

type NewTag = Pick<typeof tag.$inferInsert, 'handle' | 'subjectId' | 'createdByAppId'> & { createdAt: Date };

/**
 * The new tag, or undefined when the handle is taken. A closed tag keeps its handle in the unique index until it
 * is given again after the quarantine: of several requests at the same time one gets it.
 */
export async function insertTag(tx: Tx, keyring: Keyring, values: NewTag): Promise<TagRow | undefined> {
  const named = { ...values, id: timeOrderedId(values.createdAt) };
  const made = { ...named, routingMac: routingMacOf(keyring, tagRoute, { ...named, releasedAt: null }) };
  return (
    (await insertOnce(tx, made)) ?? ((await releaseHandle(tx, keyring, values)) ? insertOnce(tx, made) : undefined)
  );
}

const insertOnce = preparedOne('tags.insert', (db, given: Given<NewTag & { id: string; routingMac: Buffer }>) =>
  db
    .insert(tag)
    .values({
      id: given.id,
      handle: given.handle,
      subjectId: given.subjectId,
      createdByAppId: given.createdByAppId,
      createdAt: given.createdAt,
      updatedAt: given.createdAt,
      routingMac: given.routingMac,
    })
    .onConflictDoNothing({ target: tag.handle, where: isNull(tag.releasedAt) })
    .returning(),
);

/** Takes the handle from a tag whose quarantine is over. @throws AlteredRecord for one that is not as we stored it */
async function releaseHandle(tx: Tx, keyring: Keyring, { handle, createdAt: now }: NewTag): Promise<boolean> {
  const ended = await endedHolder(tx, { handle, closedBy: quarantineEnd(now) });
  if (ended === undefined) return false;
  assertAuthentic(keyring, tagRoute, ended);
  await release(tx, { id: ended.id, now, mac: routingMacOf(keyring, tagRoute, { ...ended, releasedAt: now }) });
  return true;
}

const endedHolder = preparedOne('tags.ended-holder', (db, given: Given<{ handle: string; closedBy: Date }>) =>
  db
    .select()
    .from(tag)
    .where(and(holding(given.handle), lte(tag.closedAt, given.closedBy)))
    .for('no key update'),
);

const release = prepared('tags.release', (db, given: Given<{ id: string; now: Date; mac: Buffer }>) =>
  db
    .update(tag)
    .set({ releasedAt: sql`${given.now}`, routingMac: sql`${given.mac}` })
    .where(eq(tag.id, given.id)),
);

const holding = (handle: Placeholder<string, string>) => and(eq(tag.handle, handle), isNull(tag.releasedAt));

/** Whether a tag has the handle, or had it and is in quarantine. */
export async function isTaken(db: Executor, handle: string, now: Date): Promise<boolean> {
  return (await taken(db, { handle, closedAfter: quarantineEnd(now) })).length > 0;
}

const taken = prepared('tags.taken', (db, given: Given<{ handle: string; closedAfter: Date }>) =>
  db
    .select({ id: tag.id })
    .from(tag)
    .where(and(holding(given.handle), or(isNull(tag.closedAt), gt(tag.closedAt, given.closedAfter)))),
);

/**
 * Whether an application holds so many handles that it may have no more: of its tags, and of those that it closed and that
 * are still in quarantine. The next request of the same application waits until this transaction ends: so none passes
 * the limit.
 */
export async function lockIsFull(
  tx: Tx,
  { applicationId, max, now }: { applicationId: string; max: number; now: Date },
): Promise<boolean> {
  const [, last] = await Promise.all([
    lockHandles(tx, [`tags.of:${applicationId}`]),
    heldFrom(tx, { applicationId, before: max - 1, closedAfter: quarantineEnd(now) }),
  ]);
  return last.length > 0;
}

const lockHandles = preparedText('tags.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))');

const heldFrom = prepared(
  'tags.held-from',
  (db, given: Given<{ applicationId: string; before: number; closedAfter: Date }>) =>
    db
      .select({ id: tag.id })
      .from(tag)
      .where(
        and(
          eq(tag.createdByAppId, given.applicationId),
          isNull(tag.releasedAt),
          or(isNull(tag.closedAt), gt(tag.closedAt, given.closedAfter)),
        ),
      )
      .orderBy(tag.id) // in order of an index: else all tags there are may be read
      .offset(given.before)
      .limit(1),
);

/** Gives a tag a status, if its own leads there. False when it does not. */
export async function updateStatus(tx: Tx, id: string, next: TagStatus, now: Date): Promise<boolean> {
  return (await moves[next](tx, { id, now })).length === 1;
}

const moveTo = (next: TagStatus) =>
  prepared(`tags.to-${next.toLowerCase()}`, (db, given: Given<{ id: string; now: Date }>) =>
    db
      .update(tag)
      .set({ status: next, closedAt: next === 'CLOSED' ? sql`${given.now}` : null, updatedAt: sql`${given.now}` })
      .where(and(eq(tag.id, given.id), inArray(tag.status, statesLeadingTo(tagTransitions, next))))
      .returning({ id: tag.id }),
  );

const moves = { ACTIVE: moveTo('ACTIVE'), SUSPENDED: moveTo('SUSPENDED'), CLOSED: moveTo('CLOSED') };

const creator = alias(application, 'creator');

/**
 * A tag with its owner, the owner's application and the application that made it. Those who ask at the same moment share a
 * statement.
 */
export const selectTagWithOwner = gathered(async (db, handles: readonly string[]) => {
  const held = await withOwner(db, { handles: [...new Set(handles)] });
  const found = new Map(held.map((one) => [one.tag.handle, one]));
  return placed(handles, (handle) => found.get(handle));
});

const withOwner = prepared('tags.with-owner', (db, given: Given<{ handles: readonly string[] }>) =>
  db
    .select({
      tag,
      owner: subject,
      ownerApp: {
        id: application.id,
        name: application.name,
        namespace: application.namespace,
        status: application.status,
      },
      creator: { id: creator.id, name: creator.name },
    })
    .from(tag)
    .innerJoin(subject, eq(subject.id, tag.subjectId))
    .innerJoin(application, eq(application.id, subject.applicationId))
    .innerJoin(creator, eq(creator.id, tag.createdByAppId))
    // The sub-select hides the number of ids from the planner, which would otherwise plan each read again.
    .where(and(sql`${tag.handle} = any((select ${given.handles}::text[])::text[])`, isNull(tag.releasedAt))),
);

/** The tag's own status, locked against change until this transaction ends. */
export async function lockOwnStatus(tx: Tx, id: string): Promise<TagStatus | undefined> {
  return (await ownStatus(tx, { id }))?.status;
}

const ownStatus = preparedOne('tags.own-status', (db, given: Given<{ id: string }>) =>
  db.select({ status: tag.status }).from(tag).where(eq(tag.id, given.id)).for('no key update'),
);

/** The status that counts: an active tag is SUSPENDED while the application of its owner is not active. */
export const effectiveStatus = (status: TagStatus, ownerAppStatus: ApplicationStatus): TagStatus =>
  status === 'ACTIVE' && ownerAppStatus !== 'ACTIVE' ? 'SUSPENDED' : status;

/** The status that counts (`effectiveStatus`). The tag's own cannot change until this transaction ends. */
export async function lockTagStatus(tx: Tx, id: string): Promise<TagStatus | undefined> {
  const locked = await lockStatus(tx, { id });
  return locked && effectiveStatus(locked.status, locked.ownerAppStatus);
}

const lockStatus = preparedOne('tags.status', (db, given: Given<{ id: string }>) =>
  db
    .select({ status: tag.status, ownerAppStatus: ownerAppStatus(db) })
    .from(tag)
    .where(eq(tag.id, given.id))
    .for('share'),
);

const ownerAppStatus = (db: Executor) =>
  sql<ApplicationStatus>`(${db
    .select({ status: application.status })
    .from(subject)
    .innerJoin(application, eq(application.id, subject.applicationId))
    .where(eq(subject.id, tag.subjectId))})`;

/** Who has a handle, and until when: all but the end never changes. */
export const tagRoute = {
  table: 'tags.tag',
  columns: ['id', 'handle', 'subjectId', 'createdByAppId', 'releasedAt'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [tagRoute];

/** A tag and its owner as we stored them. @throws AlteredRecord for others */
export function verifiedTag<Found extends { tag: Vouched<typeof tagRoute>; owner: Vouched<typeof subjectRoute> }>(
  keyring: Keyring,
  found: Found,
): Found {
  assertAuthentic(keyring, tagRoute, found.tag);
  assertAuthentic(keyring, subjectRoute, found.owner);
  return found;
}

/** What `tags.payable` found: a tag, and the subject whose it is. */
export interface PayableRows {
  tag: RowInSql<typeof tagRoute>;
  subject: RowInSql<typeof subjectRoute>;
}

/** @throws AlteredRecord for a tag or a subject that is not as we stored it */
export function assertPayable(keyring: Keyring, found: PayableRows): void {
  assertAuthentic(keyring, tagRoute, readRow(found.tag));
  assertAuthentic(keyring, subjectRoute, readRow(found.subject));
}

/** Which tags match; an absent member matches all. */
export interface TagFilter {
  /** The application that made it. */
  createdByAppId?: string | undefined;
  status?: TagStatus | undefined;
  /** Only those that have no letter or read as a phone number: such handles are not given any more. */
  readsAsNumber?: boolean | undefined;
  /** Made at this moment or later, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(tag, 't');

const bare = sql`translate(${row.handle}, '._-', '')`;

/** As `readsAsNumber` of the reserved names has it. */
const isNumber = sql`(${bare} !~ '[a-z]' or ${bare} ~ ${NAMED_NUMBER.source} or ${row.handle} ~ ${WRITTEN_NUMBER.source}
  or translate(${bare}, ${DRAWN_DIGITS.letters}, ${DRAWN_DIGITS.digits}) ~ ${NUMBER.source})`;

/** Tags, newest first, closed ones too until their handle is given again. */
export async function selectTags(db: Executor, filter: TagFilter, page: PageRequest<string>) {
  const { createdByAppId, status, readsAsNumber, from, to } = filter;
  const within = and(
    isNull(row.releasedAt),
    // Few are, and they have an index.
    status === undefined || status === 'ACTIVE' ? undefined : sql`${row.status} <> 'ACTIVE'`,
    createdByAppId === undefined ? undefined : eq(row.createdByAppId, createdByAppId),
  );
  const matches = and(
    status && eq(row.status, status),
    from && gte(row.createdAt, from),
    to && lt(row.createdAt, to),
    readsAsNumber === true ? isNumber : undefined,
  );
  return pageOfWalk(db, { name: 'tags', filter, table: tag, row, key: row.id, within, matches }, page, {
    rows: (keys) =>
      db
        .select({
          tag,
          owner: { id: subject.id },
          ownerApp: { id: application.id, name: application.name, namespace: application.namespace },
          creator: { id: creator.id },
        })
        .from(tag)
        .innerJoin(subject, eq(subject.id, tag.subjectId))
        .innerJoin(application, eq(application.id, subject.applicationId))
        .innerJoin(creator, eq(creator.id, tag.createdByAppId))
        .where(sql`${tag.id} = any(array(${keys}))`)
        .orderBy(desc(tag.id)),
    keyOf: (one) => one.tag.id,
  });
}

export type TagParts = Awaited<ReturnType<typeof selectTags>> extends Listed<infer Parts, string> ? Parts : never;

import { and, eq, gt, inArray, lt, lte, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { application } from '#modules/clients';
import { tag } from '#modules/tags';
import type { Verification } from './link-route.ts';
import { type LinkStatus, linkStatuses, linkTransitions } from './link-status.ts';
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

/** The federation of a tag, made when it has none. Of any number at once, one makes it. */
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

/** False when a link is open between the two tags already, in either direction. Of any number at once, one is made. */
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

/** Takes back a link whose challenge reached nobody, as if it had never been asked for. */
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

/** Counts a wrong answer to the challenge of a link that is locked. Answers how many there were with this one. */
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

/** Counts an attempt to prove the linked tag's owner. False when there were `max` already: of any number at once, no more are. */
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

interface Move {
  id: string;
  now: Date;
}

/** Past its time a pending link goes nowhere but to EXPIRED, and not there before. */
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

/** A link goes to each status by a statement of its own. */
const moves = Object.fromEntries(linkStatuses.map((next) => [next, moveTo(next)])) as Record<
  LinkStatus,
  ReturnType<typeof moveTo>
>;

/** Takes a link to a status, from one that leads there. Of any number at once, one does. False when none did. */
export async function updateStatus(
  tx: Tx,
  id: string,
  { next, now, verification }: { next: LinkStatus; now: Date; verification?: Verification | undefined },
): Promise<boolean> {
  return (await moves[next](tx, { id, now, ...verification })).length === 1;
}

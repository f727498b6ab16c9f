import { and, eq, inArray, isNull, lte, sql } from '#drizzle';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { ownerOf, receiver } from '#modules/outbox';
import type { EpisodeKind } from './episode-store.ts';
import { episode, failure } from './tables.ts';

/** What the owner of a receiver is to be told. */
export interface UntoldEpisode {
  id: string;
  kind: EpisodeKind;
  beganAt: Date;
  /** Of a pause: its reason. */
  detail: string | null;
  /** How often somebody has begun to tell it, this time included. */
  tries: number;
  owner: { ownerId: string; ownerKind: 'PARTNER' | 'APPLICATION' };
  /** Of the receiver: the rest of its URL may be a secret. */
  host: string | undefined;
  /** Deliveries that have failed in it, a thousand at most. */
  failed: number;
}

const FAILED_MAX = 1_000;

/**
 * Takes up to `limit` episodes whose owners are to be told. Nobody else takes them, now or later, unless `tellLater` says so:
 * of whoever dies meanwhile nobody knows whether they told it, and an owner is told at most once.
 */
export async function takeUntold(db: Database, limit: number): Promise<UntoldEpisode[]> {
  const due = db
    .select({ id: episode.id })
    .from(episode)
    .where(lte(episode.tellAt, sql`now()`))
    .orderBy(episode.tellAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const taken = await db
    .update(episode)
    .set({ tellAt: null, tries: sql`${episode.tries} + 1` })
    .where(inArray(episode.id, due))
    .returning();
  return Promise.all(
    taken.map(async ({ id, kind, beganAt, detail, tries, receiverId }) => {
      const { url, ...owner } = await selectOwner(db, receiverId);
      const failed = kind === 'FAILED' ? await countFailed(db, receiverId) : 0;
      return { id, kind, beganAt, detail, tries, owner, host: url === null ? undefined : new URL(url).host, failed };
    }),
  );
}

/** Whose a receiver is, and where it is. */
async function selectOwner(db: Executor, receiverId: string): Promise<UntoldEpisode['owner'] & { url: string | null }> {
  const [found] = await db
    .select({ ownerId: ownerOf(receiver), ownerKind: receiver.ownerKind, url: receiver.url })
    .from(receiver)
    .where(eq(receiver.id, receiverId));
  if (found === undefined) throw new Error('an episode is of a receiver');
  return found;
}

async function countFailed(db: Executor, receiverId: string): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(failure)
    .where(eq(failure.receiverId, receiverId))
    .limit(FAILED_MAX)
    .as('some');
  return db.$count(some);
}

/** Has the owner of a taken episode told once more, for it is certain that they were not. */
export async function tellLater(db: Executor, id: string, inMs: number): Promise<void> {
  const tellAt = sql`now() + ${inMs} * interval '1 millisecond'`;
  await db
    .update(episode)
    .set({ tellAt })
    .where(and(eq(episode.id, id), isNull(episode.toldAt)));
}

/** The owner of a taken episode was told. */
export async function markTold(db: Executor, id: string): Promise<void> {
  await db.update(episode).set({ toldAt: sql`now()` }).where(eq(episode.id, id));
}

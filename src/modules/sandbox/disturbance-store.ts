import { and, asc, eq, sql } from '#drizzle';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Disturbance } from '../../providers/disturbance.ts';
import { disturbance } from './tables.ts';

type Named = { ownerId: string; provider: (typeof disturbance.$inferSelect)['provider'] };

/** Writes how a simulator answers an owner's next calls, in place of what it was told before. */
export const putDisturbance = prepared(
  'sandbox.disturb',
  (db, given: Given<Named & { answer: Disturbance['answer']; delayMs: number; timesLeft: number }>) =>
    db
      .insert(disturbance)
      .values({
        ownerId: given.ownerId,
        provider: given.provider,
        answer: given.answer,
        delayMs: given.delayMs,
        timesLeft: given.timesLeft,
      })
      .onConflictDoUpdate({
        target: [disturbance.ownerId, disturbance.provider],
        set: {
          answer: sql`excluded.answer`,
          delayMs: sql`excluded.delay_ms`,
          timesLeft: sql`excluded.times_left`,
        },
      }),
);

/** @returns nothing where nothing was disturbed */
export const deleteDisturbance = prepared('sandbox.calm', (db, given: Given<Named>) =>
  db
    .delete(disturbance)
    .where(and(eq(disturbance.ownerId, given.ownerId), eq(disturbance.provider, given.provider)))
    .returning({ provider: disturbance.provider }),
);

/** What is disturbed for an owner. */
export const selectDisturbances = prepared('sandbox.disturbances', (db, given: Given<{ ownerId: string }>) =>
  db.select().from(disturbance).where(eq(disturbance.ownerId, given.ownerId)).orderBy(asc(disturbance.provider)),
);

/** Which simulators are disturbed for whom. */
export const selectDisturbed = prepared('sandbox.disturbed', (db) =>
  db.select({ ownerId: disturbance.ownerId, provider: disturbance.provider }).from(disturbance),
);

/** Counts one call, and forgets what was for so many. Given: owner, provider. */
export const countDisturbed = preparedText<{ answer: Disturbance['answer']; delayMs: number }>(
  'sandbox.count-disturbed',
  `with met as (
     select owner_id, provider, answer, delay_ms, times_left from sandbox.disturbance
      where owner_id = $1 and provider = $2 for update),
   last as (
     delete from sandbox.disturbance d using met
      where (d.owner_id, d.provider) = (met.owner_id, met.provider) and met.times_left = 1),
   fewer as (
     update sandbox.disturbance d set times_left = met.times_left - 1 from met
      where (d.owner_id, d.provider) = (met.owner_id, met.provider) and met.times_left > 1)
   select answer, delay_ms as "delayMs" from met`,
  { writes: true },
);

import { and, asc, desc, eq, sql } from '#drizzle';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { Disturbance } from '../../providers/disturbance.ts';
import { counterpart, disturbance, hookRequest } from './tables.ts';

export type HookRequest = typeof hookRequest.$inferSelect;

/** Requests that are kept of an owner. */
const KEPT_MAX = 100;

/**
 * Keeps a request and says what it is answered: 500, always or to the first two attempts of an event, or 200. The owner's
 * oldest ones are forgotten. Given: owner, mode, message, headers, body, moment.
 */
export const keepRequest = preparedText<{ status: number }>(
  'sandbox.keep-request',
  `with before as (
     select count(*) as attempts from sandbox.hook_request where owner_id = $1::uuid and mode = 'flaky' and message = $3),
   forgotten as (
     delete from sandbox.hook_request where id in (
       select id from sandbox.hook_request where owner_id = $1::uuid order by id desc offset ${KEPT_MAX - 1}))
   insert into sandbox.hook_request (owner_id, mode, message, headers, body, status, received_at)
   select $1::uuid, $2::text, $3, $4::jsonb, $5,
          case when $2 = '500' or ($2 = 'flaky' and attempts < 2) then 500 else 200 end, $6 from before
   returning status`,
  { writes: true },
);

/** What an owner's receivers were sent, the latest first. */
export const selectRequests = prepared('sandbox.requests', (db, given: Given<{ ownerId: string }>) =>
  db
    .select()
    .from(hookRequest)
    .where(eq(hookRequest.ownerId, given.ownerId))
    .orderBy(desc(hookRequest.id))
    .limit(KEPT_MAX),
);

/** Who offers others money in the sandbox, once it was needed. */
export const selectCounterpart = preparedOne('sandbox.counterpart', (db) => db.select().from(counterpart));

/** The first one stays. */
export const insertCounterpart = prepared(
  'sandbox.keep-counterpart',
  (db, given: Given<{ applicationId: string; tag: string }>) =>
    db.insert(counterpart).values({ applicationId: given.applicationId, tag: given.tag }).onConflictDoNothing(),
);

type Named = { ownerId: string; provider: (typeof disturbance.$inferSelect)['provider'] };

/** Writes how a simulator answers an owner's next calls, in place of the setting before. */
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

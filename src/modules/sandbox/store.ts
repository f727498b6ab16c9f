import { desc, eq } from '#drizzle';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { counterpart, hookRequest } from './tables.ts';

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

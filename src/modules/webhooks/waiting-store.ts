import type { Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting, type HowMuchWaits } from '#lib/postgres/lists.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { leastIdSince } from './delivery-filter-store.ts';

/** Deliveries that are to be sent, now or again later. */
export const dueDeliveries = countOfWaiting(
  'webhooks.due-count',
  `select due_at as at from webhooks.delivery where status = 'PENDING' and due_at is not null`,
);

/** Deliveries that wait for their receiver: it is paused, has no URL, or an earlier one of their lane comes first. */
export const heldDeliveries = countOfWaiting(
  'webhooks.held-count',
  `select created_at as at from webhooks.delivery where status = 'PENDING' and due_at is null`,
);

const failedSince = countOfWaiting(
  'webhooks.failed-count',
  `select created_at as at from webhooks.delivery where status = 'FAILED' and id >= $1::uuid and created_at >= $2`,
);

/** Deliveries whose last attempt failed, of those made since a moment. */
export const failedDeliveries = async (db: Executor, since: Date): Promise<HowMuchWaits> =>
  failedSince(db, [leastIdSince(since), since.toISOString()]);

const isThere = 'exists (select from outbox.receiver r where r.id = receiver_id and r.deleted_at is null)';

/** Receivers that are paused: by us, by themselves or by an operator. */
export const pausedReceivers = countOfWaiting(
  'webhooks.paused-count',
  `select paused_at as at from webhooks.pause where resumed_at is null and ${isThere}`,
);

/** Receivers that fail at the moment: their breaker is open or half open. */
export const failingReceivers = countOfWaiting(
  'webhooks.failing-count',
  `select failing_since as at from webhooks.breaker where open_until is not null and ${isThere}`,
);

const oldest = preparedText<{ since: string | null }>(
  'webhooks.oldest-due',
  `select to_json(min(d.due_at)) #>> '{}' as since from webhooks.oldest_due() d
     join outbox.receiver r on r.id = d.receiver_id and r.url is not null
    where d.due_at <= now()
      and not exists (select from webhooks.pause p where p.receiver_id = d.receiver_id and p.resumed_at is null)
      and not exists (select from webhooks.breaker b where b.receiver_id = d.receiver_id and b.open_until is not null)`,
);

/** Since when the oldest delivery is due that could be sent, leaving out receivers that are paused or fail; undefined: none is. */
export async function oldestDue(db: Executor): Promise<Date | undefined> {
  const since = (await oldest(db, []))[0]?.since ?? undefined;
  return since === undefined ? undefined : new Date(since);
}

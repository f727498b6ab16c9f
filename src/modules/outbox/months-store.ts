import type { Executor } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';

const make = preparedText<{ made: number }>(
  'outbox.make-months',
  `select case when pg_try_advisory_xact_lock('outbox.event'::regclass::oid::bigint) then outbox.make_months() else 0 end as made`,
  { writes: true },
);

/**
 * Makes the parts of the events that are missing of this month and of the twelve after it. Any number of processes may do so at
 * once: one does, and the others leave it to that one. It waits for no lock longer than a fifth of a second, and fails then: the
 * next run tries again.
 *
 * @returns how many it made
 */
export async function makeEventMonths(db: Executor): Promise<number> {
  const [row] = await make(db, []);
  return row?.made ?? 0;
}

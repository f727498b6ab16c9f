import type { Executor } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';

const make = preparedText<{ made: number }>(
  'webhooks.make-months',
  `select case when pg_try_advisory_xact_lock('webhooks.attempt'::regclass::oid::bigint) then webhooks.make_months() else 0 end as made`,
  { writes: true },
);

/**
 * Makes the parts of the deliveries, and of their earlier attempts, that are missing of this month and of the twelve after it, as
 * `makeEventMonths` does those of the events.
 *
 * @returns how many it made
 */
export async function makeDeliveryMonths(db: Executor): Promise<number> {
  const [row] = await make(db, []);
  return row?.made ?? 0;
}

const drop = preparedText<{ dropped: number }>('webhooks.drop-months', 'select webhooks.drop_months() as dropped', {
  writes: true,
});

/**
 * Drops the oldest part whose month is over and in which nothing is left: of the attempts, once none of their deliveries waits any
 * more, or else of the deliveries. The room of deleted rows goes back to the disk. It waits a fifth of a second for each of its
 * locks, and leaves it to the next time then.
 *
 * @returns how many it dropped: 1 or 0
 */
export async function dropDeliveryMonths(db: Executor): Promise<number> {
  const [row] = await drop(db, []);
  return row?.dropped ?? 0;
}

const selectMonthsAhead = preparedText<{ months: number }>(
  'webhooks.months-ahead',
  `select min(ahead)::int as months from unnest(array['outbox.event', 'webhooks.delivery', 'webhooks.attempt']) t
     cross join lateral (select count(*) as ahead from outbox.parts(t::regclass) p where p.starts_at > now()) months`,
);

/** Months after this one for whose events, deliveries and attempts there is a part; for metrics. */
export async function measureMonthsAhead(db: Executor): Promise<number> {
  const [row] = await selectMonthsAhead(db, []);
  return row?.months ?? 0;
}

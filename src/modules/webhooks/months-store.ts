import type { Executor } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';

const make = preparedText<{ made: number }>(
  'webhooks.make-months',
  `select case when pg_try_advisory_xact_lock('webhooks.attempt'::regclass::oid::bigint) then webhooks.make_months() else 0 end as made`,
  { writes: true },
);

/**
 * Makes the parts of the attempts that are missing of this month and of the twelve after it, as `makeEventMonths` does those of
 * the events.
 *
 * @returns how many it made
 */
export async function makeAttemptMonths(db: Executor): Promise<number> {
  const [row] = await make(db, []);
  return row?.made ?? 0;
}

const drop = preparedText<{ dropped: number }>('webhooks.drop-months', 'select webhooks.drop_months() as dropped', {
  writes: true,
});

/**
 * Drops the parts of the attempts whose month is over, of whose deliveries none waits any more, and in which no attempt is left:
 * the room of deleted rows goes back to the disk. It waits for no lock longer than a fifth of a second, and fails then.
 *
 * @returns how many it dropped
 */
export async function dropAttemptMonths(db: Executor): Promise<number> {
  const [row] = await drop(db, []);
  return row?.dropped ?? 0;
}

const selectMonthsAhead = preparedText<{ months: number }>(
  'webhooks.months-ahead',
  `select least((select count(*) from outbox.parts('outbox.event') p where p.starts_at > now()),
     (select count(*) from outbox.parts('webhooks.attempt') p where p.starts_at > now()))::int as months`,
);

/** Months after this one for whose events, and the attempts of whose deliveries, there is a part; for metrics. */
export async function measureMonthsAhead(db: Executor): Promise<number> {
  const [row] = await selectMonthsAhead(db, []);
  return row?.months ?? 0;
}

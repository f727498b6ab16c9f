import type { Pool } from 'pg';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Received, Receiver } from '../support/receiver.ts';

const ATTEMPTS_MAX = 5;

/** What became of one committed event, as the outbox has it. */
interface DeliveryOutcome {
  id: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
  onRecord: number;
}

export interface DeliveryTotals {
  readonly events: number;
  readonly failed: number;
  /** How often an event came that the receiver had accepted before. */
  readonly duplicates: number;
}

/**
 * Waits until no delivery is pending, and holds what was promised against what the outbox has on record and what the
 * receivers saw: every committed event was received or is FAILED after five attempts, none had a sixth, and nothing was
 * sent that had not been counted before. Prints how many were accepted more than once.
 */
export async function expectDeliveredOrFailed(
  pool: Pool,
  receivers: readonly Pick<Receiver, 'requests' | 'accepted'>[],
): Promise<DeliveryTotals> {
  const outcomes = await eventually(() => finalOutcomes(pool), { intervalMs: 100 });
  const received = timesById(receivers.flatMap(({ requests }) => requests));
  const accepted = timesById(receivers.flatMap((receiver) => receiver.accepted));
  const times = ({ id }: DeliveryOutcome) => received.get(id) ?? 0;
  const broken = (rule: (outcome: DeliveryOutcome) => boolean) =>
    outcomes.filter((outcome) => !rule(outcome)).map((f) => [f, times(f)]);

  expect(broken((outcome) => outcome.status === 'DELIVERED' || outcome.attempts === ATTEMPTS_MAX)).toEqual([]);
  expect(broken((outcome) => outcome.status === 'FAILED' || accepted.has(outcome.id))).toEqual([]);
  expect(broken((outcome) => outcome.attempts <= ATTEMPTS_MAX && outcome.onRecord === outcome.attempts)).toEqual([]);
  expect(broken((outcome) => times(outcome) <= outcome.attempts)).toEqual([]);
  expect([...received.keys()].filter((id) => !outcomes.some((outcome) => outcome.id === id))).toEqual([]);

  const failed = outcomes.filter(({ status }) => status === 'FAILED').length;
  const duplicates = [...accepted.values()].reduce((sum, count) => sum + count - 1, 0);
  const delivered = outcomes.length - failed;
  process.stdout.write(
    `${outcomes.length} events: ${delivered} delivered, ${failed} failed, ${duplicates} duplicates\n`,
  );
  return { events: outcomes.length, failed, duplicates };
}

function timesById(requests: readonly Received[]): Map<unknown, number> {
  const times = new Map<unknown, number>();
  for (const { headers } of requests) times.set(headers['webhook-id'], (times.get(headers['webhook-id']) ?? 0) + 1);
  return times;
}

async function finalOutcomes(pool: Pool): Promise<DeliveryOutcome[]> {
  const { rows } = await pool.query<DeliveryOutcome>(
    `select event_id as id, status, attempts,
            (select count(*)::int from webhooks.attempt where delivery_id = d.id)
              + (last_attempt_at is not null)::int as "onRecord"
       from webhooks.delivery d`,
  );
  const pending = rows.filter(({ status }) => status === 'PENDING').length;
  if (pending > 0) throw new Error(`${pending} of ${rows.length} deliveries are pending`);
  return rows;
}

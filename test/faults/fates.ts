import type { Pool } from 'pg';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Received, Receiver } from '../support/receiver.ts';

const ATTEMPTS_MAX = 5;

/** What became of one committed event, as the outbox has it. */
interface Fate {
  id: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
  onRecord: number;
}

export interface Fates {
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
export async function expectToldOrFailed(
  pool: Pool,
  receivers: readonly Pick<Receiver, 'requests' | 'accepted'>[],
): Promise<Fates> {
  const fates = await eventually(() => settledFates(pool), { intervalMs: 100 });
  const received = timesById(receivers.flatMap(({ requests }) => requests));
  const accepted = timesById(receivers.flatMap((receiver) => receiver.accepted));
  const times = ({ id }: Fate) => received.get(id) ?? 0;
  const broken = (rule: (fate: Fate) => boolean) => fates.filter((fate) => !rule(fate)).map((f) => [f, times(f)]);

  expect(broken((fate) => fate.status === 'DELIVERED' || fate.attempts === ATTEMPTS_MAX)).toEqual([]);
  expect(broken((fate) => fate.status === 'FAILED' || accepted.has(fate.id))).toEqual([]);
  expect(broken((fate) => fate.attempts <= ATTEMPTS_MAX && fate.onRecord === fate.attempts)).toEqual([]);
  expect(broken((fate) => times(fate) <= fate.attempts)).toEqual([]);
  expect([...received.keys()].filter((id) => !fates.some((fate) => fate.id === id))).toEqual([]);

  const failed = fates.filter(({ status }) => status === 'FAILED').length;
  const duplicates = [...accepted.values()].reduce((sum, count) => sum + count - 1, 0);
  const delivered = fates.length - failed;
  process.stdout.write(`${fates.length} events: ${delivered} delivered, ${failed} failed, ${duplicates} duplicates\n`);
  return { events: fates.length, failed, duplicates };
}

function timesById(requests: readonly Received[]): Map<unknown, number> {
  const times = new Map<unknown, number>();
  for (const { headers } of requests) times.set(headers['webhook-id'], (times.get(headers['webhook-id']) ?? 0) + 1);
  return times;
}

async function settledFates(pool: Pool): Promise<Fate[]> {
  const { rows } = await pool.query<Fate>(
    `select event_id as id, status, attempts,
            (select count(*)::int from webhooks.attempt where delivery_id = d.id) as "onRecord"
       from webhooks.delivery d`,
  );
  const pending = rows.filter(({ status }) => status === 'PENDING').length;
  if (pending > 0) throw new Error(`${pending} of ${rows.length} deliveries are pending`);
  return rows;
}

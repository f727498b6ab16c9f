import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { clientOf, type RemotePartner, remotePartner } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import type { ServedHere } from '../support/served.ts';

const CALLERS = 4;
const FLOAT = 1_000_000;

/** A partner for each receiver, with a wallet: whatever happens to it is told. */
export interface EventProducer {
  readonly partners: readonly RemotePartner[];
  /**
   * Credits the wallets in turn, a few at once, `count` times in all. A call that fails is left: what was committed is
   * what the outbox holds. Resolves to how many were answered with 200.
   */
  credit(count: number): Promise<number>;
}

export async function startEventProducer(
  api: Pick<ServedHere, 'url'>,
  receivers: readonly Receiver[],
): Promise<EventProducer> {
  const call = clientOf(api.url);
  const partners: (RemotePartner & { headers: Record<string, string>; wallet: string })[] = [];
  for (const [index, { url }] of receivers.entries()) {
    const partner = await remotePartner(call, { name: `Partner ${index}`, webhookUrl: url, float: FLOAT });
    const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', {
      headers: partner.headers,
      json,
    });
    partners.push({ ...partner, wallet: body.Reference });
  }
  let turn = 0;
  async function creditNext(): Promise<boolean> {
    const partner = partners[turn++ % partners.length];
    const answer = call('POST', `/v2/partner/wallet/${partner?.wallet}/credit`, {
      headers: partner?.headers ?? {},
      json: { amount: 1, reference: randomUUID() },
    });
    return answer.then(
      ({ status }) => status === 200,
      () => false,
    );
  }
  return {
    partners,
    async credit(count) {
      let left = count;
      let made = 0;
      const caller = async () => {
        while (left-- > 0) if (await creditNext()) made += 1;
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return made;
    },
  };
}

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

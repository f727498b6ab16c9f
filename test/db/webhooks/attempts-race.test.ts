import { beforeEach, expect, test } from 'vitest';
import {
  breakerRules,
  type ClaimedDelivery,
  claimDeliveries,
  getDelivery,
  listDeliveries,
  recordAttempts,
} from '#modules/webhooks';
import { eventually } from '../../support/eventually.ts';
import { useOutbox } from '../../support/outbox.ts';

const EVENTS = 24;
const WORKERS = 6;
const LEASE_MS = 20;
/** Never opens: what a breaker holds back is no race. */
const rules = { ...breakerRules(1), tripAfter: 1_000_000 };
const outbox = useOutbox();

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

/** Dies with its claim; writes when its lease is over and another has claimed the delivery or given it up; or writes at once. */
type Behaviour = 'dies' | 'late' | 'in time';

interface Race {
  behaviourOf: (claimed: ClaimedDelivery) => Behaviour;
  delivers: (claimed: ClaimedDelivery) => boolean;
}

/** Workers that claim, send and write as fast as they can, each outcome twice at once, until every delivery has ended. */
async function race({ behaviourOf, delivers }: Race): Promise<{ sent: ClaimedDelivery[]; written: ClaimedDelivery[] }> {
  await outbox.emitTo(await outbox.newReceiver('https://partner.example/hook'), EVENTS);
  const sent: ClaimedDelivery[] = [];
  const written: ClaimedDelivery[] = [];
  const writing: Promise<unknown>[] = [];

  async function write(claimed: ClaimedDelivery, behaviour: Behaviour): Promise<void> {
    if (behaviour === 'dies') return;
    if (behaviour === 'late') await eventually(async () => expect(await isMine(claimed)).toBe(false));
    written.push(claimed);
    const delivered = delivers(claimed);
    const status = delivered
      ? ('DELIVERED' as const)
      : claimed.number === 5
        ? ('FAILED' as const)
        : ('PENDING' as const);
    const { deliveryId, number } = claimed;
    const ended = { deliveryId, number, status, retryInMs: status === 'PENDING' ? 0 : null };
    const answer = {
      statusCode: delivered ? 200 : 500,
      durationMs: 1,
      error: delivered ? null : 'status 500',
      response: null,
    };
    const twice = [0, 1].map(() => recordAttempts(outbox.pool, [{ ...ended, ...answer }], { rules }));
    await Promise.all(twice);
  }

  async function work(): Promise<void> {
    while ((await left()) > 0) {
      const { claimed } = await claimDeliveries(outbox.pool, {
        limit: 3,
        perReceiver: EVENTS,
        inFlight: new Map(),
        leaseMs: LEASE_MS,
      });
      sent.push(...claimed);
      writing.push(...claimed.map((one) => write(one, behaviourOf(one))));
    }
  }

  await Promise.all(Array.from({ length: WORKERS }, work));
  await Promise.all(writing);
  return { sent, written };
}

async function left(): Promise<number> {
  const { rows } = await outbox.pool.query("select count(*)::int from webhooks.delivery where status = 'PENDING'");
  return rows[0].count;
}

/** Whether its attempt is still the delivery's latest, and the delivery has not ended. */
async function isMine({ deliveryId, number }: ClaimedDelivery): Promise<boolean> {
  const { attempts, status } = await getDelivery(outbox.db, deliveryId);
  return attempts === number && status === 'PENDING';
}

/** What must not be after a race: nothing, where each attempt was handed out once, is on record, and each delivery has its one end. */
async function wrongAfter(sent: readonly ClaimedDelivery[]): Promise<unknown[]> {
  const { items } = await listDeliveries(outbox.db, { limit: 100, offset: 0 });
  const wrong: unknown[] = items.length === EVENTS ? [] : [`${items.length} deliveries`];
  for (const { id } of items) {
    const numbers = sent.filter(({ deliveryId }) => deliveryId === id).map(({ number }) => number);
    const begun = numbers.toSorted((a, b) => a - b).join();
    const { attempts, status, history } = await getDelivery(outbox.db, id);
    const onRecord = history.map(({ number }) => number).join();
    const ended =
      status === 'DELIVERED'
        ? history.some(({ statusCode }) => statusCode === 200)
        : status === 'FAILED' && attempts === 5;
    const whole = '1,2,3,4,5'.startsWith(begun) && begun === onRecord && attempts === numbers.length;
    if (!ended || !whole) wrong.push({ id, status, attempts, begun, onRecord });
  }
  return wrong;
}

test('of workers that die, hang and write all at once none begins a sixth attempt, nor one that another began', async () => {
  const behaviours: Behaviour[] = ['dies', 'late', 'in time', 'in time', 'late', 'dies', 'in time'];
  let claimed = 0;
  const { sent } = await race({
    behaviourOf: () => behaviours[claimed++ % behaviours.length] ?? 'dies',
    delivers: ({ number }) => number >= 4,
  });
  expect(await wrongAfter(sent)).toEqual([]);
});

test('of workers that write each failure twice at once none counts it twice', async () => {
  const { sent, written } = await race({ behaviourOf: () => 'in time', delivers: () => false });
  expect(await wrongAfter(sent)).toEqual([]);
  const { rows } = await outbox.pool.query('select failures from webhooks.breaker');
  expect(rows[0].failures).toBeGreaterThan(0);
  expect(rows[0].failures).toBeLessThanOrEqual(written.length);
});

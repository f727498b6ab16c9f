import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { emit, readReceiver } from '#modules/outbox';
import {
  type AttemptResult,
  breakerRules,
  type ClaimedDelivery,
  claimDeliveries,
  getDelivery,
  listDeliveries,
  recordAttempts,
  resendDelivery,
  setWebhookUrl,
} from '#modules/webhooks';
import { repetitions } from '../../support/cases.ts';
import { eventually } from '../../support/eventually.ts';
import { keyring, useOutbox } from '../../support/outbox.ts';

const TARGET = 'https://partner.example/hook';
const outbox = useOutbox();

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

const resend = (deliveryId: string) => resendDelivery(outbox, { actor: 'test', deliveryId });
const list = (given: Partial<Parameters<typeof listDeliveries>[1]> = {}) =>
  listDeliveries(outbox.db, { limit: 100, offset: 0, ...given });
const claimAll = () =>
  claimDeliveries(outbox.pool, { limit: 100, perReceiver: 100, inFlight: new Map(), leaseMs: 30_000 });

/** Claims all that is due, and records each as `status`. */
async function deliverAll(status: 'DELIVERED' | 'FAILED') {
  const error = status === 'FAILED' ? 'status 500' : null;
  const ended = { status, retryInMs: null, statusCode: 500, durationMs: 1, error, response: null };
  const { claimed } = await claimAll();
  await recordAttempts(
    outbox.pool,
    claimed.map(({ deliveryId, number }) => ({ deliveryId, number, ...ended })),
  );
}

describe('the list of deliveries', () => {
  test('is filtered by owner, event and status, newest first, and counts all that match', async () => {
    const partner = await outbox.newReceiver(TARGET);
    const other = await outbox.newReceiver(TARGET);
    const application = await outbox.newReceiver(TARGET, 'APPLICATION');
    const references = await outbox.emitTo(partner, 3, 'wallet.credited');
    await deliverAll('DELIVERED');
    await outbox.emitTo(partner, 2, 'wallet.debited');
    await outbox.emitTo(other);
    await outbox.emitTo(application, 1, 'TRANSACTION_INITIATED');

    expect((await list()).count).toBe(7);
    const page = await list({ partnerId: partner.ownerId, event: 'wallet.credited', limit: 2, offset: 1 });
    expect(page.count).toBe(3);
    expect(page.items.map(({ reference }) => reference)).toEqual(references.toReversed().slice(1));
    expect((await list({ partnerId: partner.ownerId, status: 'PENDING' })).count).toBe(2);
    expect((await list({ applicationId: application.ownerId })).items).toMatchObject([
      { event: 'TRANSACTION_INITIATED', ownerKind: 'APPLICATION', ownerId: application.ownerId, attempts: 0 },
    ]);
    expect((await list({ applicationId: partner.ownerId })).count).toBe(0);
    expect(await list({ limit: 0 })).toMatchObject({ items: [], count: 7 });
  });

  test('of a partner with few reads few, however many others have, of whom many are estimated', async () => {
    const few = await outbox.newReceiver(TARGET);
    await outbox.emitTo(few, 3);
    const many = await outbox.newReceiver(TARGET);
    await outbox.pool.query(
      `select outbox.emit($1, 'wallet.credited', n::text, '{}') from generate_series(1, 10050) n`,
      [many.ownerId],
    );
    await outbox.pool.query('analyze webhooks.delivery, outbox.event, outbox.receiver');
    for (const filter of [{}, { event: 'wallet.credited', status: 'PENDING' }] as const) {
      const { count, countIsExact } = await list({ partnerId: many.ownerId, ...filter });
      expect([count > 9_000 && count < 11_000, countIsExact]).toEqual([true, false]);
    }
    await outbox.db.transaction(async (tx) => {
      const read = async () => {
        const { rows } = await tx.execute<{ rows: number }>(
          `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
            where schemaname in ('outbox', 'webhooks') and relname in ('delivery', 'event')`,
        );
        return rows[0]?.rows ?? 0;
      };
      const before = await read();
      const page = await listDeliveries(tx, { partnerId: few.ownerId, limit: 20, offset: 0 });
      expect(page).toMatchObject({ items: { length: 3 }, count: 3 });
      expect((await read()) - before).toBeLessThan(100);
    });
  });
});

describe('a resend', () => {
  test('is a new delivery of the same event, with attempts of its own, and leaves the first as it is', async () => {
    const partner = await outbox.newReceiver(TARGET);
    await outbox.emitTo(partner);
    await deliverAll('FAILED');
    const [failed] = (await list()).items;
    const { id } = await resend(failed?.id ?? '');
    expect((await list()).items).toMatchObject([
      { id, eventId: failed?.eventId, status: 'PENDING', attempts: 0 },
      { id: failed?.id, status: 'FAILED', attempts: 1 },
    ]);
    expect((await claimAll()).claimed).toMatchObject([{ deliveryId: id, eventId: failed?.eventId, number: 1 }]);
  });

  test('of an unknown delivery is refused, as is reading it', async () => {
    const unknown = randomUUID();
    const notFound = { code: 'DELIVERY_NOT_FOUND' };
    await expect(resend(unknown)).rejects.toMatchObject(notFound);
    await expect(getDelivery(outbox.db, unknown)).rejects.toMatchObject(notFound);
  });
});

describe('the URL of a receiver', () => {
  test('is read without the keys', async () => {
    const { ownerId, id } = await outbox.newReceiver(TARGET);
    const found = await readReceiver(outbox.db, ownerId);
    expect(found).toMatchObject({ id, ownerId, ownerKind: 'PARTNER', url: TARGET });
    expect(Object.keys(found ?? {}).filter((name) => name.endsWith('Sealed'))).toEqual([]);
    expect(await readReceiver(outbox.db, randomUUID())).toBeUndefined();
  });

  test('of an unknown owner is not set', async () => {
    const update = outbox.db.transaction((tx) => setWebhookUrl(tx, keyring, { ownerId: randomUUID(), url: TARGET }));
    await expect(update).rejects.toMatchObject({ code: 'RECEIVER_NOT_FOUND' });
  });

  test('taken away keeps what is pending; given again, it is sent there', async () => {
    const { ownerId, ...partner } = await outbox.newReceiver(TARGET);
    await outbox.emitTo({ ownerId, ...partner });
    await outbox.db.transaction((tx) => setWebhookUrl(tx, keyring, { ownerId, url: null }));
    await outbox.emitTo({ ownerId, ...partner });
    expect(await claimAll()).toEqual({ claimed: [], exhausted: [], dueInMs: null, parked: 0, mayBeMore: false });
    await outbox.db.transaction((tx) => setWebhookUrl(tx, keyring, { ownerId, url: `${TARGET}/new` }));
    const { claimed } = await claimAll();
    expect(claimed.map(({ receiver }) => receiver.route.url)).toEqual([`${TARGET}/new`, `${TARGET}/new`]);
  });

  test('given while an event is being written reaches that event too', async () => {
    const { ownerId } = await outbox.newReceiver(null);
    let given: Promise<unknown> = Promise.resolve();
    await outbox.db.transaction(async (tx) => {
      await emit(tx, { ownerId, event: 'wallet.credited', reference: 'kept', body: '{}' });
      given = outbox.db.transaction((other) => setWebhookUrl(other, keyring, { ownerId, url: TARGET }));
      await eventually(async () => {
        const { rows } = await outbox.pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(1);
      });
    });
    await given;
    expect((await claimAll()).claimed).toHaveLength(1);
  });
});

const EVENTS = 24;
const WORKERS = 6;
const LEASE_MS = 20;
/** Never opens: what a breaker holds back is no race. */
const rules = { ...breakerRules(1), tripAfter: 1_000_000 };

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

const LONG_LEASE_MS = 1_000;

/** What may happen to a delivery: a worker claimed it and dies, or claimed it and ends, or one long gone writes at last. */
const step = fc.oneof(
  fc.constant({ kind: 'die' } as const),
  fc.constant({ kind: 'deliver' } as const),
  fc.constant({ kind: 'fail' } as const),
  fc.record({ kind: fc.constant('late' as const), attempt: fc.integer({ min: 0, max: 4 }), delivered: fc.boolean() }),
);

test('whatever dies and whoever writes late, a delivery has at most five attempts, each on record, and one end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      await outbox.pool.query('truncate outbox.receiver cascade');
      await outbox.emitTo(await outbox.newReceiver('https://partner.example/hook'));
      let now = Date.now() + 3_600_000;
      let ended: string | undefined;
      const sent: { deliveryId: string; number: number }[] = [];

      for (const happening of steps) {
        now += 10 * LONG_LEASE_MS;
        if (happening.kind === 'late') {
          const late = sent[happening.attempt];
          if (late !== undefined && late.number < sent.length) {
            await recordAttempts(outbox.pool, [result(late, happening.delivered ? 'DELIVERED' : 'PENDING')]);
          }
          continue;
        }
        const given = { limit: 5, perReceiver: 5, inFlight: new Map<string, number>(), leaseMs: LONG_LEASE_MS };
        const { claimed, exhausted } = await claimDeliveries(outbox.pool, { ...given, now: new Date(now) });
        if (exhausted.length > 0) ended = 'FAILED';
        for (const one of claimed) {
          sent.push(one);
          if (happening.kind === 'die') continue;
          const failed = one.number === 5 ? 'FAILED' : 'PENDING';
          const status = happening.kind === 'deliver' ? 'DELIVERED' : failed;
          await recordAttempts(outbox.pool, [result(one, status)]);
          if (status !== 'PENDING') ended = status;
        }
      }

      expect(sent.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5].slice(0, sent.length));
      if (sent[0] === undefined) return;
      const delivery = await getDelivery(outbox.db, sent[0].deliveryId);
      expect(delivery).toMatchObject({ status: ended ?? 'PENDING', attempts: sent.length });
      expect(delivery.history.map(({ number }) => number)).toEqual(sent.map(({ number }) => number));
    }),
    { numRuns: repetitions({ short: 20, soak: 600 }) },
  );
});

const result = (of: { deliveryId: string; number: number }, status: AttemptResult['status']): AttemptResult => ({
  deliveryId: of.deliveryId,
  number: of.number,
  status,
  retryInMs: status === 'PENDING' ? 0 : null,
  statusCode: 500,
  durationMs: 1,
  error: status === 'DELIVERED' ? null : 'status 500',
  response: null,
});

import { beforeEach, describe, expect, test } from 'vitest';
import { claimDeliveries, getDelivery, listDeliveries } from '#modules/webhooks';
import { eventually } from '../../support/eventually.ts';
import { PER_RECEIVER, type TestReceiver, useDispatchers, useOutbox } from '../../support/outbox.ts';
import { isSigned, type Received, standardSignature, startReceiver, useReceiver } from '../../support/receiver.ts';

const outbox = useOutbox();
const receiver = useReceiver();
const dispatchers = useDispatchers();

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver.reset();
});

/** The one delivery there is. */
const only = async () => {
  const { items } = await listDeliveries(outbox.db, { limit: 2, offset: 0 });
  const [first] = items;
  if (first === undefined || items.length !== 1) throw new Error('expected one delivery');
  return getDelivery(outbox.db, first.id);
};
const ended = (status: string) => eventually(async () => expect(await only()).toMatchObject({ status }));
const startAll = () => dispatchers.start({ pool: outbox.pool }).pump();

const deliverOne = async (): Promise<TestReceiver> => {
  const partner = await outbox.newReceiver(receiver.url);
  await outbox.emitTo(partner);
  await startAll();
  return partner;
};

describe('a delivery', () => {
  test('brings the exact bytes, signed as the contract says and as Standard Webhooks says', async () => {
    const partner = await deliverOne();
    const request = await receiver.waitFor(() => true);
    const { rows } = await outbox.pool.query('select id, body from outbox.event');
    expect(request.body.equals(Buffer.from(rows[0].body))).toBe(true);
    expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(await isSigned(request, partner.clientId)).toBe(true);
    expect(request.headers['r-signature']).toMatch(/^[0-9a-f]{128}$/);

    expect(request.headers['webhook-id']).toBe(rows[0].id);
    expect(request.headers['webhook-signature']).toBe(await standardSignature(request, partner.secret));
    expect(request.headers['traceparent']).toMatch(
      new RegExp(`^00-${rows[0].id.replaceAll('-', '')}-[0-9a-f]{16}-00$`),
    );
  });

  test('ends with the first 200: one request, one attempt', async () => {
    await deliverOne();
    await ended('DELIVERED');
    expect(await only()).toMatchObject({ attempts: 1, history: [{ number: 1, statusCode: 200, error: null }] });
    expect(receiver.requests).toHaveLength(1);
  });

  test('refused with 500 first arrives by exactly two attempts, with the same id and bytes', async () => {
    receiver.answer([{ status: 500, body: 'not now' }]);
    await deliverOne();
    await ended('DELIVERED');
    const { history } = await only();
    expect(history).toMatchObject([
      { number: 1, statusCode: 500, error: 'status 500', response: 'not now' },
      { number: 2, statusCode: 200, error: null },
    ]);
    const [first, second] = receiver.requests;
    expect(receiver.requests).toHaveLength(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toEqual(first?.body);
  });

  test('refused five times is FAILED, and there is no sixth attempt', async () => {
    receiver.answer(() => 503);
    await deliverOne();
    await ended('FAILED');
    await startAll();
    expect(receiver.requests).toHaveLength(5);
    expect(await only()).toMatchObject({ status: 'FAILED', attempts: 5, lastError: 'status 503' });
    expect((await only()).history.map(({ error }) => error)).toEqual(Array(5).fill('status 503'));
  });

  test('answered 202, 204 or 301 is tried again', async () => {
    receiver.answer([202, 204, { status: 301, headers: { location: receiver.url } }]);
    await deliverOne();
    await ended('DELIVERED');
    expect((await only()).history.map(({ error }) => error)).toEqual(['status 202', 'status 204', 'status 301', null]);
  });

  test('waits as long as Retry-After asks', async () => {
    receiver.answer([{ status: 429, headers: { 'retry-after': '600' } }]);
    await deliverOne();
    const delivery = await eventually(async () => {
      const found = await only();
      expect(found.lastError).toBe('status 429');
      return found;
    });
    expect(Number(delivery.dueAt) - Number(delivery.updatedAt)).toBe(600_000);
  });

  test('leaves one line for each attempt, with ids and without URL, body or client id', async () => {
    receiver.answer([500]);
    const partner = await deliverOne();
    await ended('DELIVERED');
    const { id: deliveryId, eventId, endpointId: receiverId } = await only();
    const ids = { deliveryId, eventId, receiverId, durationMs: expect.any(Number) };
    expect(dispatchers.kept.lines).toMatchObject([
      { ...ids, number: 1, status: 500, error: 'status 500' },
      { ...ids, number: 2, status: 200, error: null },
    ]);
    for (const secret of [receiver.url, partner.clientId, partner.secret, 'Amount']) {
      expect(dispatchers.kept.text).not.toContain(secret);
    }
  });
});

const start = (given: Partial<Parameters<typeof dispatchers.start>[0]> = {}) =>
  dispatchers.start({ pool: outbox.pool, ...given });
const HOUR_MS = 3_600_000;
const referenceOf = ({ body }: Received): string => JSON.parse(body.toString()).reference;

describe('a receiver that hangs', () => {
  test('delays no one else: the deliveries of a healthy one all finish while its own still hang', async () => {
    const hanging = await startReceiver();
    hanging.answer(() => 'hang');
    try {
      const [slow, healthy] = [await outbox.newReceiver(hanging.url), await outbox.newReceiver(receiver.url)];
      await outbox.emitTo(slow, 100);
      const references = await outbox.emitTo(healthy, 100);
      void start({ timeoutMs: 280_000 }).pump();
      await eventually(() => expect(receiver.requests.map(referenceOf).toSorted()).toEqual(references.toSorted()));
      await eventually(() => expect(hanging.requests).toHaveLength(PER_RECEIVER));
      await eventually(async () => {
        const delivered = await listDeliveries(outbox.db, { status: 'DELIVERED', limit: 0, offset: 0 });
        expect(delivered.count).toBe(100);
      });
    } finally {
      await hanging.close();
    }
  });
});

describe('four receivers that hang', () => {
  test('leave room: a healthy one that comes later gets all its events while their attempts still hang', async () => {
    const hanging = await startReceiver();
    hanging.answer(() => 'hang');
    try {
      for (let number = 0; number < 4; number += 1) {
        await outbox.emitTo(await outbox.newReceiver(`${hanging.url}/${number}`), 50);
      }
      const dispatcher = start({ timeoutMs: 280_000 });
      await dispatcher.pump();
      await eventually(() => expect(hanging.requests.length).toBeGreaterThanOrEqual(12));
      const references = await outbox.emitTo(await outbox.newReceiver(receiver.url), 60);
      void dispatcher.pump();
      await eventually(() => expect(receiver.requests.map(referenceOf).toSorted()).toEqual(references.toSorted()));
      await eventually(async () => {
        const { rows } = await outbox.pool.query(
          `
          select r.url = $1 as healthy, d.status, (d.last_duration_ms is not null) as ended, count(*)::int
            from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id where d.attempts > 0 group by 1, 2, 3 order by 1`,
          [receiver.url],
        );
        expect(rows).toEqual([
          { healthy: false, status: 'PENDING', ended: false, count: hanging.requests.length },
          { healthy: true, status: 'DELIVERED', ended: true, count: 60 },
        ]);
      });
    } finally {
      await hanging.close();
    }
  });

  test('let go of their slots after ten failures each, and what waits for them has lost no attempt', async () => {
    receiver.answer(() => 'drop');
    for (let number = 0; number < 4; number += 1) {
      await outbox.emitTo(await outbox.newReceiver(`${receiver.url}/${number}`), 50);
    }
    void start({ baseMs: HOUR_MS }).pump();
    await eventually(async () => {
      const { rows } = await outbox.pool.query('select failures from webhooks.breaker where open_until > now()');
      expect(rows).toHaveLength(4);
    });
    await eventually(async () => {
      const { rows } = await outbox.pool.query<{ open: number; count: number }>(
        `select count(*) filter (where last_duration_ms is null)::int as open, count(*)::int from webhooks.delivery
          where attempts > 0`,
      );
      expect(rows[0]?.open).toBe(0);
      expect(rows[0]?.count).toBe(receiver.requests.length);
    });
    const { rows } = await outbox.pool.query<{ attempts: number; count: number }>(
      'select attempts, count(*)::int from webhooks.delivery group by 1 order by 1',
    );
    expect(rows.map(({ attempts }) => attempts)).toEqual([0, 1]);
    expect(rows[0]?.count).toBeGreaterThan(100);
  });
});

describe('a receiver that fails at once', () => {
  test('has its breaker open after ten attempts and those that were under way: a slow record lets no more go', async () => {
    receiver.answer(() => 500);
    await outbox.emitTo(await outbox.newReceiver(receiver.url), 100);
    await outbox.pool.query(`
      create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.03); return null; end';
      create trigger slowly after update on webhooks.delivery for each row when (new.last_duration_ms is not null)
        execute function slowly()`);
    void start({ baseMs: HOUR_MS }).pump();
    await eventually(async () => {
      const { rows } = await outbox.pool.query(`
        select (select count(*)::int from webhooks.breaker where open_until > now()) as open,
               (select count(*)::int from webhooks.delivery where attempts > 0 and last_duration_ms is null) as "underWay"`);
      expect(rows).toEqual([{ open: 1, underWay: 0 }]);
    });
    await outbox.pool.query('drop function slowly cascade');
    expect(receiver.requests.length).toBeLessThan(10 + PER_RECEIVER);
  });
});

describe('a dispatcher', () => {
  test('sends everything that is due when a probe finds its receiver well again', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    receiver.answer(() => 500);
    const references = await outbox.emitTo(partner, 40);
    void start({ baseMs: 200 }).pump();
    const said = () => dispatchers.kept.lines.filter(({ msg }) => String(msg).startsWith('a webhook receiver'));
    await eventually(() => expect(said()).toHaveLength(1));
    receiver.answer([]);
    await eventually(async () => {
      const { count } = await listDeliveries(outbox.db, { status: 'DELIVERED', limit: 0, offset: 0 });
      expect(count).toBe(40);
    });
    expect([...new Set(receiver.requests.map(referenceOf))].toSorted()).toEqual(references.toSorted());
    expect(said()).toMatchObject([
      { msg: 'a webhook receiver keeps failing: its deliveries are on hold', receiverId: partner.id },
      { msg: 'a webhook receiver works again: its deliveries are sent', receiverId: partner.id },
    ]);
  });

  test('that comes after one that died sends what that one had claimed, as the next attempt', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const dead = await claimDeliveries(outbox.pool, { limit: 1, perReceiver: 1, inFlight: new Map(), leaseMs: 150 });
    expect(dead.claimed).toHaveLength(1);
    await start().pump();
    await ended('DELIVERED');
    expect((await only()).history).toMatchObject([{ error: 'interrupted' }, { statusCode: 200 }]);
  });

  test('that closes claimed no more, and has recorded what was in flight', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner, 20);
    const answered = Promise.withResolvers<number>();
    receiver.answer(() => answered.promise);
    const dispatcher = start();
    void dispatcher.pump();
    await eventually(() => expect(receiver.requests).toHaveLength(PER_RECEIVER));
    const closed = dispatcher.close();
    answered.resolve(200);
    await closed;
    await dispatcher.pump();
    expect(receiver.requests).toHaveLength(PER_RECEIVER);
    const statuses = await outbox.pool.query(
      'select status, attempts, count(*)::int from webhooks.delivery group by 1, 2',
    );
    expect(statuses.rows).toEqual(
      expect.arrayContaining([
        { status: 'DELIVERED', attempts: 1, count: 4 },
        { status: 'PENDING', attempts: 0, count: 16 },
      ]),
    );
  });

  test('logs one line for each attempt, with ids and how it ended, and no key, address or body', async () => {
    const partner = await outbox.newReceiver(`${receiver.url}?key=planted-in-url`);
    const [reference] = await outbox.emitTo(partner);
    receiver.answer([503]);
    void start().pump();
    await ended('DELIVERED');
    const { id, eventId } = await only();
    const line = { deliveryId: id, eventId, receiverId: partner.id, durationMs: expect.any(Number) };
    expect(dispatchers.kept.lines.filter(({ msg }) => msg === 'webhook attempt')).toMatchObject([
      { ...line, number: 1, status: 503, error: 'status 503', delivery: 'PENDING' },
      { ...line, number: 2, status: 200, error: null, delivery: 'DELIVERED' },
    ]);
    for (const secret of [partner.clientId, partner.secret, receiver.url, 'planted', reference ?? '', 'Amount']) {
      expect(dispatchers.kept.text).not.toContain(secret);
    }
  });

  describe('holds what is not as we stored it, counts no attempt of it, sends the others, and sends it when it is put right', () => {
    test.each<[string, string]>([
      ['a secret that does not open', `secret_sealed = '\\x00'`],
      ['another’s secret', 'secret_sealed = (select secret_sealed from outbox.receiver o where o.id <> t.id)'],
      ['another URL', `url = url || '/elsewhere'`],
      ['another owner', 'owner_id = gen_random_uuid()'],
      ['events that it did not ask for', `events = '{wallet.credited}'`],
      ['another receiver’s MAC', 'routing_mac = (select routing_mac from outbox.receiver o where o.id <> t.id)'],
    ])('%s', async (_what, set) => {
      const [broken, whole] = [await outbox.newReceiver(receiver.url), await outbox.newReceiver(receiver.url)];
      const [late] = await outbox.emitTo(broken);
      const [sent] = await outbox.emitTo(whole);
      await outbox.pool.query('create table public.kept as table outbox.receiver');
      await outbox.pool.query(`update outbox.receiver t set ${set} where id = $1`, [broken.id]);
      const dispatcher = start();
      await dispatcher.pump();
      await eventually(() => expect(receiver.requests.map(referenceOf)).toEqual([sent]));
      const alerts = dispatchers.kept.lines.filter(({ event }) => event === 'stored_record_altered');
      expect(alerts).toMatchObject([{ record: expect.stringContaining(broken.id) }]);
      const { rows } = await outbox.pool.query(
        `select attempts, status, last_error, leased_until, due_at > now() as later from webhooks.delivery where receiver_id = $1`,
        [broken.id],
      );
      expect(rows).toEqual([{ attempts: 0, status: 'PENDING', last_error: null, leased_until: null, later: true }]);
      await outbox.pool.query(`
        begin; set local session_replication_role = replica;
        delete from outbox.receiver; insert into outbox.receiver table public.kept; drop table public.kept; commit;
        update webhooks.delivery set due_at = now() where status = 'PENDING'`);
      await start().pump();
      await eventually(() => expect(receiver.requests.map(referenceOf)).toEqual([sent, late]));
    });
  });

  test('does not send an event to somebody else’s receiver, for which a delivery was written', async () => {
    const [mine, theirs] = [await outbox.newReceiver(receiver.url), await outbox.newReceiver(receiver.url)];
    const [reference] = await outbox.emitTo(mine);
    await outbox.pool.query(
      `insert into webhooks.delivery (event_id, receiver_id, due_at) select event_id, $1, now() from webhooks.delivery`,
      [theirs.id],
    );
    await start().pump();
    await eventually(() => expect(receiver.requests.map(referenceOf)).toEqual([reference]));
    const { rows } = await outbox.pool.query('select status, attempts from webhooks.delivery where receiver_id = $1', [
      theirs.id,
    ]);
    expect(rows).toEqual([{ status: 'PENDING', attempts: 0 }]);
    expect(dispatchers.kept.lines.filter(({ event }) => event === 'stored_record_altered')).toHaveLength(1);
  });
});

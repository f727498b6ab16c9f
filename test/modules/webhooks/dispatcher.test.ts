import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claimDue, getDelivery, listDeliveries } from '#modules/outbox';
import { addressPolicy, createDispatcher, createResolve, createSender, type Dispatcher } from '#modules/webhooks';
import { systemClock } from '../../../src/lib/clock.ts';
import { openDatabase } from '../../../src/lib/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';
import { keyring, type TestReceiver, useOutbox } from '../../support/outbox.ts';
import { type Received, startReceiver, useReceiver } from '../../support/receiver.ts';
import { isSigned } from '../../support/signature.ts';

const outbox = useOutbox();
const receiver = useReceiver();
const running: { close(): Promise<void> }[] = [];
let kept = testLog();

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver.reset();
  kept = testLog();
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

/** A dispatcher that pumps by itself when something is due, as a worker does, with a backoff of a few milliseconds. */
function start(given: { pool?: typeof outbox.pool; baseMs?: number; timeoutMs?: number; leaseMs?: number } = {}) {
  const { pool = outbox.pool, baseMs = 1, timeoutMs = 5_000, leaseMs = 30_000 } = given;
  const timers = new Set<NodeJS.Timeout>();
  const sender = createSender({
    timeoutMs,
    allows: addressPolicy(['127.0.0.0/8']),
    resolve: createResolve(),
    connectionsPerOrigin: 16,
  });
  const dispatcher: Dispatcher = createDispatcher({
    pool,
    sender,
    keyring,
    clock: systemClock,
    log: kept.log,
    backoff: { baseMs, jitter: 0.2 },
    leaseMs,
    slots: 16,
    perReceiver: 4,
    onDue: (inMs) => void timers.add(setTimeout(dispatcher.pump, inMs)),
  });
  running.push({
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await dispatcher.close();
      await sender.close();
    },
  });
  return dispatcher;
}

const only = async () => {
  const { items } = await listDeliveries(outbox.db, { limit: 2, offset: 0 });
  const [first] = items;
  if (first === undefined || items.length !== 1) throw new Error('expected one delivery');
  return getDelivery(outbox.db, first.id);
};
const ended = (status: string) => eventually(async () => expect(await only()).toMatchObject({ status }));
const referenceOf = ({ body }: Received): string => JSON.parse(body.toString()).reference;

const deliverOne = async (): Promise<TestReceiver> => {
  const partner = await outbox.newReceiver(receiver.url);
  await outbox.emitTo(partner);
  await start().pump();
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

    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    expect(id).toBe(rows[0].id);
    const key = Buffer.from(partner.secret.replace('whsec_', ''), 'base64');
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), request.body]);
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
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
    await start().pump();
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
    const { id: deliveryId, eventId, receiverId } = await only();
    const ids = { deliveryId, eventId, receiverId, durationMs: expect.any(Number) };
    expect(kept.lines).toMatchObject([
      { ...ids, number: 1, status: 500, error: 'status 500' },
      { ...ids, number: 2, status: 200, error: null },
    ]);
    for (const secret of [receiver.url, partner.clientId, partner.secret, 'Amount']) {
      expect(kept.text).not.toContain(secret);
    }
  });
});

describe('a receiver that hangs', () => {
  test('holds up nobody else: the deliveries of a healthy one all finish while its own still hang', async () => {
    const hanging = await startReceiver();
    hanging.answer(() => 'hang');
    try {
      const [slow, healthy] = [await outbox.newReceiver(hanging.url), await outbox.newReceiver(receiver.url)];
      await outbox.emitTo(slow, 100);
      const references = await outbox.emitTo(healthy, 100);
      void start({ timeoutMs: 20_000 }).pump();
      await eventually(() => expect(receiver.requests.map(referenceOf).toSorted()).toEqual(references.toSorted()));
      expect(hanging.requests).toHaveLength(4); // its cap
      await eventually(async () => {
        const delivered = await listDeliveries(outbox.db, { status: 'DELIVERED', limit: 0, offset: 0 });
        expect(delivered.count).toBe(100);
      });
    } finally {
      await hanging.close();
    }
  });
});

describe('a dispatcher', () => {
  test('that comes after one that died sends what that one had claimed, as the next attempt', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const dead = await claimDue(outbox.pool, { limit: 1, perReceiver: 1, busy: new Map(), leaseMs: 150 });
    expect(dead.claims).toHaveLength(1);
    await start().pump();
    await ended('DELIVERED');
    expect((await only()).history).toMatchObject([{ error: 'interrupted' }, { statusCode: 200 }]);
  });

  test('that closes claims no more, and has recorded what was in flight', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner, 20);
    receiver.answer(() => ({ status: 200, afterMs: 100 }));
    const dispatcher = start();
    void dispatcher.pump();
    await eventually(() => expect(receiver.requests).toHaveLength(4));
    await dispatcher.close();
    await dispatcher.pump();
    expect(receiver.requests).toHaveLength(4);
    const statuses = await outbox.pool.query(
      'select status, attempts, count(*)::int from outbox.delivery group by 1, 2',
    );
    expect(statuses.rows).toEqual(
      expect.arrayContaining([
        { status: 'DELIVERED', attempts: 1, count: 4 },
        { status: 'PENDING', attempts: 0, count: 16 },
      ]),
    );
  });

  test('records, after the database was away, what it had sent: nothing is sent again', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const own = openDatabase(outbox.url, 2, () => undefined);
    running.push({ close: () => own.close() });
    receiver.answer(() => ({ status: 200, afterMs: 150 }));
    void start({ pool: own.pool }).pump();
    await receiver.waitFor(() => true);
    const name = new URL(outbox.url).pathname.slice(1);
    const admin = openDatabase(new URL('/postgres', outbox.url).href, 1, () => undefined);
    running.push({ close: () => admin.close() });
    await admin.pool.query(`alter database ${name} allow_connections false`);
    await admin.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await eventually(() =>
      expect(kept.lines).toContainEqual(expect.objectContaining({ msg: expect.stringMatching(/recording.* fails$/) })),
    );
    await admin.pool.query(`alter database ${name} allow_connections true`);
    await ended('DELIVERED');
    expect(receiver.requests).toHaveLength(1);
    expect(kept.lines.filter(({ msg }) => msg === 'recording webhook outcomes fails')).toHaveLength(1);
  });

  test('never rejects when the database is closed under it, and says so once', async () => {
    const own = openDatabase(outbox.url, 2, () => undefined);
    await own.close();
    const dispatcher = start({ pool: own.pool });
    for (let round = 0; round < 5; round++) await dispatcher.pump();
    expect(kept.lines.map(({ msg }) => msg)).toEqual(['claiming webhook deliveries fails']);
  });

  test('has an attempt with keys it cannot open fail, not the others', async () => {
    const [broken, whole] = [await outbox.newReceiver(receiver.url), await outbox.newReceiver(receiver.url)];
    await outbox.pool.query(`update outbox.receiver set secret_sealed = '\\x00' where id = $1`, [broken.id]);
    await outbox.emitTo(broken);
    await outbox.emitTo(whole);
    await start({ baseMs: 60_000 }).pump();
    await eventually(async () => {
      const { items } = await listDeliveries(outbox.db, { limit: 5, offset: 0 });
      const states = items.map(({ ownerId, status, lastError }) => [ownerId, status, lastError]);
      expect(states.toSorted()).toEqual(
        [
          [broken.ownerId, 'PENDING', 'internal'],
          [whole.ownerId, 'DELIVERED', null],
        ].toSorted(),
      );
    });
  });
});

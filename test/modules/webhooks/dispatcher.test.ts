import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claimDue, getDelivery, listDeliveries } from '#modules/outbox';
import { type DatabaseHandle, openDatabase } from '../../../src/lib/database.ts';
import { PER_RECEIVER, useDispatchers } from '../../support/dispatcher.ts';
import { eventually } from '../../support/eventually.ts';
import { useOutbox } from '../../support/outbox.ts';
import { type Received, startReceiver, useReceiver } from '../../support/receiver.ts';

const outbox = useOutbox();
const receiver = useReceiver();
const opened: DatabaseHandle[] = [];
afterEach(async () => {
  for (const handle of opened.splice(0)) await handle.close();
});
const dispatchers = useDispatchers(); // closes its own before the databases are

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver.reset();
});
const start = (given: Partial<Parameters<typeof dispatchers.start>[0]> = {}) =>
  dispatchers.start({ pool: outbox.pool, ...given });
/** The one delivery there is. */
const only = async () => {
  const { items } = await listDeliveries(outbox.db, { limit: 2, offset: 0 });
  const [first] = items;
  if (first === undefined || items.length !== 1) throw new Error('expected one delivery');
  return getDelivery(outbox.db, first.id);
};
const ended = (status: string) => eventually(async () => expect(await only()).toMatchObject({ status }));
const referenceOf = ({ body }: Received): string => JSON.parse(body.toString()).reference;

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
      expect(hanging.requests).toHaveLength(PER_RECEIVER);
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
  test('leave room: a healthy one that comes later gets all it is told while every attempt of theirs still hangs', async () => {
    const hanging = await startReceiver();
    hanging.answer(() => 'hang');
    try {
      for (let number = 0; number < 4; number += 1) {
        await outbox.emitTo(await outbox.newReceiver(`${hanging.url}/${number}`), 50);
      }
      const dispatcher = start({ timeoutMs: 30_000 });
      await dispatcher.pump();
      await eventually(() => expect(hanging.requests.length).toBeGreaterThanOrEqual(12));
      const references = await outbox.emitTo(await outbox.newReceiver(receiver.url), 60);
      void dispatcher.pump();
      await eventually(() => expect(receiver.requests.map(referenceOf).toSorted()).toEqual(references.toSorted()));
      await eventually(async () => {
        const { rows } = await outbox.pool.query(
          `
          select r.url = $1 as healthy, d.status, (a.duration_ms is not null) as ended, count(*)::int
            from outbox.attempt a join outbox.delivery d on d.id = a.delivery_id
            join outbox.receiver r on r.id = d.receiver_id group by 1, 2, 3 order by 1`,
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
    void start({ baseMs: 60_000 }).pump();
    await eventually(async () => {
      const { rows } = await outbox.pool.query('select failures from outbox.breaker where open_until > now()');
      expect(rows).toHaveLength(4);
    });
    await eventually(async () => {
      const { rows } = await outbox.pool.query<{ open: number; count: number }>(
        'select count(*) filter (where duration_ms is null)::int as open, count(*)::int from outbox.attempt',
      );
      expect(rows[0]?.open).toBe(0);
      expect(rows[0]?.count).toBe(receiver.requests.length);
    });
    const { rows } = await outbox.pool.query<{ attempts: number; count: number }>(
      'select attempts, count(*)::int from outbox.delivery group by 1 order by 1',
    );
    expect(rows.map(({ attempts }) => attempts)).toEqual([0, 1]);
    expect(rows[0]?.count).toBeGreaterThan(100);
  });
});

describe('a dispatcher', () => {
  test('sends everything that is due when a probe finds its receiver well again', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    receiver.answer(() => 500);
    const references = await outbox.emitTo(partner, 40);
    void start({ baseMs: 200 }).pump();
    const said = () => dispatchers.kept.lines.filter(({ msg }) => String(msg).startsWith('webhook receiver'));
    await eventually(() => expect(said()).toHaveLength(1));
    receiver.answer([]);
    await eventually(async () => {
      const { count } = await listDeliveries(outbox.db, { status: 'DELIVERED', limit: 0, offset: 0 });
      expect(count).toBe(40);
    });
    expect([...new Set(receiver.requests.map(referenceOf))].toSorted()).toEqual(references.toSorted());
    expect(said()).toMatchObject([
      { msg: 'webhook receiver keeps failing: its deliveries wait', receiverId: partner.id },
      { msg: 'webhook receiver answers again: its deliveries go out', receiverId: partner.id },
    ]);
  });

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
    await eventually(() => expect(receiver.requests).toHaveLength(PER_RECEIVER));
    await dispatcher.close();
    await dispatcher.pump();
    expect(receiver.requests).toHaveLength(PER_RECEIVER);
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
    opened.push(own);
    receiver.answer(() => ({ status: 200, afterMs: 150 }));
    void start({ pool: own.pool }).pump();
    await receiver.waitFor(() => true);
    const name = new URL(outbox.url).pathname.slice(1);
    const admin = openDatabase(new URL('/postgres', outbox.url).href, 1, () => undefined);
    opened.push(admin);
    await admin.pool.query(`alter database ${name} allow_connections false`);
    await admin.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await eventually(() =>
      expect(dispatchers.kept.lines).toContainEqual(
        expect.objectContaining({ msg: expect.stringMatching(/recording.* fails$/) }),
      ),
    );
    await admin.pool.query(`alter database ${name} allow_connections true`);
    await ended('DELIVERED');
    expect(receiver.requests).toHaveLength(1);
    expect(dispatchers.kept.lines.filter(({ msg }) => msg === 'recording webhook outcomes fails')).toHaveLength(1);
  });

  test('never rejects when the database is closed under it, and says so once', async () => {
    const own = openDatabase(outbox.url, 2, () => undefined);
    await own.close();
    const dispatcher = start({ pool: own.pool });
    for (let round = 0; round < 5; round++) await dispatcher.pump();
    expect(dispatchers.kept.lines.map(({ msg }) => msg)).toEqual(['claiming webhook deliveries fails']);
  });

  test('has an attempt with keys it cannot open fail, not the others', async () => {
    const [broken, whole] = [await outbox.newReceiver(receiver.url), await outbox.newReceiver(receiver.url)];
    await outbox.pool.query(`update outbox.receiver set secret_sealed = '\\x00' where id = $1`, [broken.id]);
    await outbox.emitTo(broken);
    await outbox.emitTo(whole);
    await start({ baseMs: 60_000 }).pump();
    await eventually(async () => {
      const { items } = await listDeliveries(outbox.db, { limit: 5, offset: 0 });
      const states = items.map(({ ownerId, status, lastError }) => `${ownerId} ${status} ${lastError}`);
      expect(states.toSorted()).toEqual(
        [`${broken.ownerId} PENDING internal`, `${whole.ownerId} DELIVERED null`].toSorted(),
      );
    });
  });
});

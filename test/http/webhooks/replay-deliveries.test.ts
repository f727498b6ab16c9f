import { beforeEach, describe, expect, test } from 'vitest';
import { listDeliveries, type Replay, replayDeliveries, setWebhookUrl } from '#modules/webhooks';
import { endAll } from '../../support/deliveries.ts';
import { keyring, useOutbox } from '../../support/outbox.ts';

const TARGET = 'https://partner.example/hook';
const outbox = useOutbox();

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

const FAILED = { actor: 'test', dryRun: false, status: 'FAILED' } as const;
const reroute = (ownerId: string, url: string | null) =>
  outbox.db.transaction((tx) => setWebhookUrl(tx, keyring, { ownerId, url }));
const replay = (given: Partial<Replay> = {}) => replayDeliveries(outbox, { ...FAILED, ...given });
const preview = (given: Partial<Replay> = {}) => replay({ ...given, dryRun: true });
const deliveriesOf = (partnerId: string) => listDeliveries(outbox.db, { partnerId, limit: 5_000, offset: 0 });

/** A partner of whose events so many have failed. */
async function failed(count: number, error = 'timeout') {
  const partner = await outbox.newReceiver(TARGET);
  await outbox.emitTo(partner, count);
  await endAll(outbox.pool, error);
  return partner;
}

describe('a replay', () => {
  test('makes one new delivery, with attempts of its own, for each event that failed, the oldest first', async () => {
    const partner = await failed(3);
    await outbox.emitTo(partner);
    expect(await replay()).toMatchObject({ matched: 3, replayed: 3, next: undefined });
    const { items } = await deliveriesOf(partner.ownerId);
    expect(items.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual([
      ...Array<string>(4).fill('PENDING 0'),
      ...Array<string>(3).fill('FAILED 1'),
    ]);
    const [third, second, first] = items;
    const olds = items.slice(4).map(({ eventId }) => eventId);
    expect([third, second, first].map((one) => one?.eventId)).toEqual(olds);
    expect(new Set(olds).size).toBe(3);
  });

  test('asked for again finds nothing left, also after the new deliveries were brought', async () => {
    const partner = await failed(2);
    expect((await replay()).replayed).toBe(2);
    expect(await replay()).toMatchObject({ matched: 0, replayed: 0 });
    await endAll(outbox.pool, null);
    expect(await replay()).toMatchObject({ matched: 0, replayed: 0 });
    expect((await deliveriesOf(partner.ownerId)).count).toBe(4);
  });

  test('that failed too can be replayed in its turn', async () => {
    await failed(2);
    await replay();
    await endAll(outbox.pool, 'status 500');
    expect(await replay({ error: 'timeout' })).toMatchObject({ matched: 0 });
    expect(await replay({ error: 'status 500' })).toMatchObject({ matched: 2, replayed: 2 });
  });

  test('run many times at once sends no event twice', async () => {
    const partner = await failed(30);
    await failed(5);
    const own = { partnerId: partner.ownerId };
    const runs = await Promise.allSettled([replay(own), replay(), replay(own), replay(), replay(own), replay()]);
    const refused = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason.code] : []));
    expect(refused.filter((code) => code !== 'BUSY')).toEqual([]);
    expect(refused.length).toBeLessThan(runs.length);
    await replay();
    expect((await deliveriesOf(partner.ownerId)).count).toBe(60);
    expect((await listDeliveries(outbox.db, { status: 'PENDING', limit: 0, offset: 0 })).count).toBe(35);
  });

  test('does not wait for another one of the same partner, and does not meet one of another', async () => {
    const partner = await failed(1);
    const other = await failed(1);
    await outbox.db.transaction(async (tx) => {
      const within = { db: outbox.db, transact: (work) => work(tx) } satisfies Parameters<typeof replayDeliveries>[0];
      await replayDeliveries(within, { ...FAILED, partnerId: partner.ownerId });
      await expect(replay({ partnerId: partner.ownerId })).rejects.toMatchObject({ code: 'BUSY' });
      await expect(replay()).rejects.toMatchObject({ code: 'BUSY' });
      expect(await replay({ partnerId: other.ownerId })).toMatchObject({ replayed: 1 });
    });
  });

  test('makes a thousand at most, says how many it left, and goes on behind the last one', async () => {
    const partner = await failed(1_003);
    const first = await replay();
    expect(first).toMatchObject({ matched: 1_003, replayed: 1_000, next: expect.any(String) });
    expect(await replay({ after: first.next })).toMatchObject({ matched: 3, replayed: 3, next: undefined });
    const { items } = await deliveriesOf(partner.ownerId);
    const events = items.filter(({ status }) => status === 'PENDING').map(({ eventId }) => eventId);
    expect(events).toHaveLength(1_003);
    expect(new Set(events).size).toBe(1_003);
  });

  test('of what was delivered brings each event once more, and no further behind the last', async () => {
    const partner = await outbox.newReceiver(TARGET);
    await outbox.emitTo(partner, 2);
    await endAll(outbox.pool, null);
    expect(await replay()).toMatchObject({ matched: 0 });
    expect(await replay({ status: 'DELIVERED' })).toMatchObject({ matched: 2, replayed: 2 });
    expect(await endAll(outbox.pool, null)).toBe(2);
    const { items } = await deliveriesOf(partner.ownerId);
    expect(await replay({ status: 'DELIVERED', after: items[0]?.eventId })).toMatchObject({ matched: 0 });
  });

  test('to a receiver that nothing can be sent to is kept, and brought when it can', async () => {
    const partner = await failed(2);
    await reroute(partner.ownerId, null);
    expect(await replay()).toMatchObject({ replayed: 2 });
    expect(await endAll(outbox.pool, null)).toBe(0);
    await reroute(partner.ownerId, TARGET);
    expect(await endAll(outbox.pool, null)).toBe(2);
    expect((await deliveriesOf(partner.ownerId)).count).toBe(4);
  });

  test('skips an event whose deliveries are being deleted, without waiting', async () => {
    const partner = await failed(2);
    const { items } = await deliveriesOf(partner.ownerId);
    await outbox.db.transaction(async (tx) => {
      const gone = items[0]?.eventId ?? '';
      await tx.execute(`delete from webhooks.delivery where event_id = '${gone}'`);
      expect(await replay()).toMatchObject({ matched: 2, replayed: 1 });
    });
    expect(await replay()).toMatchObject({ matched: 0 });
  });
});

describe('the filter of a replay', () => {
  test('is the owner, the event, the error and the time at which the event was written', async () => {
    const partner = await failed(2, 'timeout');
    const application = await outbox.newReceiver(TARGET, 'APPLICATION');
    await outbox.emitTo(application, 1, 'TRANSACTION_INITIATED');
    await endAll(outbox.pool, 'status 503');
    await outbox.pool.query(`begin; set local session_replication_role = replica;
      update outbox.event set created_at = '2026-01-31T08:00:00Z' where event = 'wallet.credited'; commit`);
    const at = (text: string) => new Date(`2026-01-31T${text}Z`);

    expect(await preview()).toMatchObject({ matched: 3 });
    expect(await preview({ partnerId: partner.ownerId })).toMatchObject({ matched: 2 });
    expect(await preview({ applicationId: partner.ownerId })).toMatchObject({ matched: 0 });
    expect(await preview({ applicationId: application.ownerId })).toMatchObject({ matched: 1 });
    expect(await preview({ event: 'TRANSACTION_INITIATED' })).toMatchObject({ matched: 1 });
    expect(await preview({ error: 'timeout' })).toMatchObject({ matched: 2 });
    expect(await preview({ error: 'status 503' })).toMatchObject({ matched: 1 });
    expect(await preview({ error: 'status 5xx' })).toMatchObject({ matched: 1 });
    expect(await preview({ error: 'status 4xx' })).toMatchObject({ matched: 0 });
    expect(await preview({ error: 'time%' })).toMatchObject({ matched: 0 });
    expect(await preview({ from: at('08:00:00'), to: at('08:00:01') })).toMatchObject({ matched: 2 });
    expect(await preview({ to: at('08:00:00') })).toMatchObject({ matched: 0 });
    expect(await preview({ from: at('08:00:01') })).toMatchObject({ matched: 1 });
  });

  test('in a preview does nothing, and shows twenty of what matches', async () => {
    const partner = await failed(25);
    const { items } = await deliveriesOf(partner.ownerId);
    const oldest = items.map(({ id }) => id).toReversed();
    expect(await preview()).toMatchObject({ matched: 25, replayed: 0, sample: oldest.slice(0, 20), next: undefined });
    expect((await deliveriesOf(partner.ownerId)).count).toBe(25);
  });
});

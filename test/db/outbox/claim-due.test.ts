import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimDue, emit, getDelivery, type Outcome, recordOutcomes, updateReceiverUrl } from '#modules/outbox';
import { type TestReceiver, useOutbox } from '../../support/outbox.ts';

const TARGET = 'https://partner.example/hook';
const LEASE_MS = 30_000;
const outbox = useOutbox();

/** Claims at `now`, with nothing in flight. */
const claim = (given: { limit?: number; perReceiver?: number; busy?: Map<string, number>; now?: Date } = {}) =>
  claimDue(outbox.pool, { limit: 100, perReceiver: 100, busy: new Map(), leaseMs: LEASE_MS, ...given });

const claimOf = async (receiver: TestReceiver, now?: Date) =>
  (await claim(now === undefined ? {} : { now })).claims.filter(({ receiverId }) => receiverId === receiver.id);

const delivered = (deliveryId: string, number: number): Outcome => ({
  deliveryId,
  number,
  status: 'DELIVERED',
  retryInMs: null,
  statusCode: 200,
  durationMs: 3,
  error: null,
  response: Buffer.from('ok'),
});

/** Moments from an hour ahead on, so that they lie after whatever was emitted before. */
const start = Date.now() + 3_600_000;
const at = (ms: number) => new Date(start + ms);

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

describe('an event', () => {
  test('is there with the transaction it was written in, and not without it', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    const undone = outbox.db.transaction(async (tx) => {
      await emit(tx, { ownerId: receiver.ownerId, event: 'wallet.credited', reference: 'undone', body: '{}' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await claimOf(receiver)).toEqual([]);
    await outbox.emitTo(receiver);
    expect(await claimOf(receiver)).toHaveLength(1);
  });

  test('of an owner without a receiver is told to nobody', async () => {
    await outbox.db.transaction((tx) =>
      emit(tx, { ownerId: randomUUID(), event: 'wallet.credited', reference: 'nobody', body: '{}' }),
    );
    expect((await claim()).claims).toEqual([]);
  });

  test('is claimed with its exact bytes and its sequence', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    const body = '{"b":1.50, "a":"₦\\u0041"}';
    await outbox.db.transaction((tx) =>
      emit(tx, { ownerId: receiver.ownerId, event: 'wallet.debited', reference: 'r', body, sequence: 41 }),
    );
    expect(await claimOf(receiver)).toMatchObject([{ body, sequence: '41', url: TARGET, number: 1 }]);
  });
});

describe('a claim', () => {
  test('counts and records the attempt before anything is sent', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver);
    const [claimed] = await claimOf(receiver);
    expect(await getDelivery(outbox.db, claimed?.deliveryId ?? '')).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      history: [{ number: 1, statusCode: null, durationMs: null, error: null }],
    });
  });

  test('never overlaps another: of twenty at once each delivery is in exactly one', async () => {
    const receivers = await Promise.all(Array.from({ length: 5 }, () => outbox.newReceiver(TARGET)));
    for (const receiver of receivers) await outbox.emitTo(receiver, 40);
    const seen: string[] = [];
    while (seen.length < 200) {
      const claims = await Promise.all(Array.from({ length: 20 }, () => claim({ limit: 7 })));
      const ids = claims.flatMap((one) => one.claims.map(({ deliveryId }) => deliveryId));
      expect(ids.length).toBeGreaterThan(0);
      seen.push(...ids);
    }
    expect(new Set(seen).size).toBe(200);
    expect(seen).toHaveLength(200);
  });

  test('takes no more of a receiver than its cap leaves, what is in flight included', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver, 10);
    const taken = async (busy: number) =>
      (await claim({ perReceiver: 4, busy: new Map([[receiver.id, busy]]) })).claims.length;
    expect(await taken(4)).toBe(0);
    expect(await taken(3)).toBe(1);
    expect(await taken(0)).toBe(4);
  });

  test('serves everyone: a backlog does not keep a newer event of another waiting', async () => {
    const crowded = await outbox.newReceiver(TARGET);
    await outbox.emitTo(crowded, 500);
    const quiet = await outbox.newReceiver(TARGET);
    await outbox.emitTo(quiet, 1);
    const { claims } = await claim({ limit: 10 });
    expect(claims.filter(({ receiverId }) => receiverId === quiet.id)).toHaveLength(1);
    expect(claims.filter(({ receiverId }) => receiverId === crowded.id)).toHaveLength(3); // a third of ten stays free
  });

  test('prefers the receiver with less in flight', async () => {
    const [busy, idle] = [await outbox.newReceiver(TARGET), await outbox.newReceiver(TARGET)];
    await outbox.emitTo(busy, 3);
    await outbox.emitTo(idle, 3);
    const { claims } = await claim({ limit: 1, busy: new Map([[busy.id, 2]]) });
    expect(claims.map(({ receiverId }) => receiverId)).toEqual([idle.id]);
  });

  test('leaves alone what has no URL or is paused, until it has one or is resumed', async () => {
    const silent = await outbox.newReceiver(null);
    const paused = await outbox.newReceiver(TARGET);
    await outbox.pool.query(`update outbox.receiver set status = 'PAUSED' where id = $1`, [paused.id]);
    await outbox.emitTo(silent, 2);
    await outbox.emitTo(paused, 2);
    expect((await claim()).claims).toEqual([]);
    await outbox.db.transaction((tx) => updateReceiverUrl(tx, { ownerId: silent.ownerId, url: TARGET }));
    await outbox.pool.query(`update outbox.receiver set status = 'ACTIVE' where id = $1`, [paused.id]);
    const claimed = (await claim()).claims.map(({ receiverId }) => receiverId);
    expect(claimed.toSorted()).toEqual([silent.id, silent.id, paused.id, paused.id].toSorted());
  });

  test('says when the next of the others is due', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver);
    expect((await claim({ now: at(0) })).claims).toHaveLength(1);
    const nothing = { claims: [], abandoned: [] };
    expect(await claim({ now: at(10) })).toMatchObject({ ...nothing, dueInMs: LEASE_MS - 10 });
  });
});

describe('a lease', () => {
  test('that runs out makes the delivery due again, as the next attempt, and the lost one says so', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver);
    const [first] = await claimOf(receiver, at(0));
    expect(await claimOf(receiver, at(LEASE_MS - 1))).toEqual([]);
    const again = await claimOf(receiver, at(LEASE_MS));
    expect(again).toMatchObject([{ deliveryId: first?.deliveryId, number: 2 }]);
    const { history } = await getDelivery(outbox.db, first?.deliveryId ?? '');
    expect(history.map(({ number, error }) => [number, error])).toEqual([
      [1, 'interrupted'],
      [2, null],
    ]);
  });

  test('of the fifth attempt ends in FAILED: there is never a sixth', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver);
    let deliveryId = '';
    for (const number of [1, 2, 3, 4, 5]) {
      const claims = await claimOf(receiver, at(number * LEASE_MS));
      expect(claims).toMatchObject([{ number }]);
      deliveryId = claims[0]?.deliveryId ?? '';
    }
    const { claims, abandoned } = await claim({ now: at(6 * LEASE_MS) });
    expect(claims.map((one) => one.deliveryId)).not.toContain(deliveryId);
    expect(abandoned.map((one) => one.deliveryId)).toContain(deliveryId);
    expect(await claimOf(receiver, at(7 * LEASE_MS))).toEqual([]);
    const failed = await getDelivery(outbox.db, deliveryId);
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 5, lastError: 'interrupted' });
    expect(failed.history.map(({ error }) => error)).toEqual(Array(5).fill('interrupted'));
  });
});

describe('an outcome', () => {
  test('completes its attempt and moves its delivery, many at once', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver, 3);
    const [ok, retried, failed] = await claimOf(receiver);
    if (!ok || !retried || !failed) throw new Error('three were emitted');
    const bad = { statusCode: 503, error: 'status 503', response: null };
    await recordOutcomes(outbox.pool, [
      delivered(ok.deliveryId, 1),
      { ...delivered(retried.deliveryId, 1), ...bad, status: 'PENDING', retryInMs: 60_000 },
      { ...delivered(failed.deliveryId, 1), ...bad, status: 'FAILED' },
    ]);
    const read = (id: string) => getDelivery(outbox.db, id);
    const done = await read(ok.deliveryId);
    expect(done).toMatchObject({
      status: 'DELIVERED',
      lastError: null,
      history: [{ statusCode: 200, response: 'ok' }],
    });
    expect(done.deliveredAt).toBeInstanceOf(Date);
    const waiting = await read(retried.deliveryId);
    expect(waiting).toMatchObject({ status: 'PENDING', lastError: 'status 503', deliveredAt: null });
    expect(Number(waiting.dueAt) - Number(waiting.updatedAt)).toBe(60_000);
    expect(await read(failed.deliveryId)).toMatchObject({ status: 'FAILED', lastError: 'status 503' });
  });

  test('that comes too late completes its own attempt and leaves the delivery to the later one', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver);
    const [first] = await claimOf(receiver, at(0));
    const [second] = await claimOf(receiver, at(LEASE_MS));
    if (!first || !second) throw new Error('it was claimed twice');
    await recordOutcomes(outbox.pool, [
      { ...delivered(first.deliveryId, 1), status: 'FAILED', statusCode: 500, error: 'status 500' },
    ]);
    expect(await getDelivery(outbox.db, first.deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: 2,
      history: [
        { number: 1, statusCode: 500 },
        { number: 2, statusCode: null },
      ],
    });
    await recordOutcomes(outbox.pool, [delivered(second.deliveryId, 2)]);
    await recordOutcomes(outbox.pool, [{ ...delivered(second.deliveryId, 2), status: 'FAILED', error: 'again' }]);
    expect(await getDelivery(outbox.db, second.deliveryId)).toMatchObject({ status: 'DELIVERED', lastError: null });
  });
});

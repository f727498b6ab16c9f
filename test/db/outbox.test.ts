import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { emit, rotateSecret } from '#modules/outbox';
import { listDeliveries } from '#modules/webhooks';
import { keyring, type TestReceiver, useDispatchers, useOutbox } from '../support/outbox.ts';
import { isSigned, type Received, standardSignature, useReceiver } from '../support/receiver.ts';

const outbox = useOutbox();
const CREDITED = { event: 'wallet.credited', reference: 'wallet-1', body: '{}' };

const deliveriesTo = (ownerId: string) => listDeliveries(outbox.db, { partnerId: ownerId, limit: 10, offset: 0 });

test('an event and its delivery are committed or rolled back with their transaction', async () => {
  const { ownerId } = await outbox.newReceiver('https://partner.example/hook');
  const undone = outbox.db.transaction(async (tx) => {
    await emit(tx, { ownerId, ...CREDITED });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect((await deliveriesTo(ownerId)).count).toBe(0);
  const eventId = await outbox.transact((tx) => emit(tx, { ownerId, ...CREDITED }));
  expect(await deliveriesTo(ownerId)).toMatchObject({ count: 1, items: [{ eventId, status: 'PENDING', attempts: 0 }] });
});

test('no event is written for an owner without a receiver', async () => {
  const count = async () => (await outbox.pool.query('select count(*) from outbox.event')).rows;
  const before = await count();
  expect(await outbox.transact((tx) => emit(tx, { ownerId: randomUUID(), ...CREDITED }))).toBeUndefined();
  expect(await count()).toEqual(before);
});

test('an event never goes and is not changed, but for its body, whose digest stays', async () => {
  const { ownerId } = await outbox.newReceiver('https://partner.example/hook');
  const id = await outbox.transact((tx) => emit(tx, { ownerId, ...CREDITED }));
  for (const change of [`update outbox.event set reference = 'wallet-2'`, 'delete from outbox.event']) {
    await expect(outbox.pool.query(`${change} where id = $1`, [id])).rejects.toThrow('never changed or deleted');
  }
  const emptied = `update outbox.event set body = null, body_digest = sha256('{}') where id = $1`;
  expect((await outbox.pool.query(emptied, [id])).rowCount).toBe(1);
});

const HOUR_MS = 3_600_000;
const receiver = useReceiver();
const dispatchers = useDispatchers();

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver.reset();
});

/** Rotates so many hours ago, with an overlap of a day. Resolves to the new secret. */
async function rotate({ ownerId }: TestReceiver, hoursAgo: number, overlapH: number | null = 24): Promise<string> {
  const now = new Date(Date.now() - hoursAgo * HOUR_MS);
  const deps = { transact: outbox.transact, keyring, clock: { now: () => now } };
  const owner = { ownerId, ownerKind: 'PARTNER' as const };
  const rotation = { actor: 'test', owner, immediately: overlapH === null };
  return (await rotateSecret({ ...deps, webhooks: { secretOverlapH: overlapH ?? 24 } }, rotation)).secret;
}

async function deliverOne(partner: TestReceiver): Promise<Received> {
  const [reference] = await outbox.emitTo(partner);
  await dispatchers.start({ pool: outbox.pool }).pump();
  return receiver.waitFor(({ body }) => body.includes(reference ?? ''));
}

/** What the library of Standard Webhooks, which knows nothing of us, says with a secret. */
const verifies = (request: Received, secret: string, body = request.body): boolean => {
  try {
    new Webhook(secret).verify(body.toString('utf8'), request.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

describe('the signatures of a delivery', () => {
  test('before any rotation are one, which an independent library verifies, and no other secret', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    const stranger = await outbox.newReceiver(null);
    const request = await deliverOne(partner);
    expect(request.headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}=$/);
    expect(verifies(request, partner.secret)).toBe(true);
    expect(verifies(request, stranger.secret)).toBe(false);
    expect(verifies(request, partner.secret, Buffer.concat([request.body, Buffer.from(' ')]))).toBe(false);
  });

  test('during the overlap are two: the new secret’s and the old one’s, and R-Signature is as ever', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    const secret = await rotate(partner, 23);
    const request = await deliverOne(partner);
    const both = [await standardSignature(request, secret), await standardSignature(request, partner.secret)];
    expect(request.headers['webhook-signature']).toBe(both.join(' '));
    expect([secret, partner.secret].map((one) => verifies(request, one))).toEqual([true, true]);
    expect(await isSigned(request, partner.clientId)).toBe(true);
  });

  test('after the overlap are the new secret’s alone', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    const secret = await rotate(partner, 25);
    const request = await deliverOne(partner);
    expect(request.headers['webhook-signature']).toBe(await standardSignature(request, secret));
    expect([secret, partner.secret].map((one) => verifies(request, one))).toEqual([true, false]);
  });

  test('are the new secret’s alone when the old one was to stop at once, even in an overlap', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    const second = await rotate(partner, 2);
    const third = await rotate(partner, 1, null);
    const request = await deliverOne(partner);
    expect([partner.secret, second, third].map((one) => verifies(request, one))).toEqual([false, false, true]);
  });

  test('of an event that waited are by the secrets of the moment it is sent', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    await outbox.emitTo(partner);
    const secret = await rotate(partner, 0);
    const request = await deliverOne(partner);
    expect(receiver.requests).toHaveLength(2);
    for (const one of receiver.requests) expect(verifies(one, secret)).toBe(true);
    expect(verifies(request, partner.secret)).toBe(true);
  });
});

describe('rotations', () => {
  test('at the same time: one wins, the other is told that two secrets sign already', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    const both = await Promise.allSettled([rotate(partner, 0), rotate(partner, 0)]);
    const refused = both.filter((one) => one.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'SECRET_OVERLAP_RUNNING' } }]);
    const secrets = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const request = await deliverOne(partner);
    expect([...secrets, partner.secret].map((one) => verifies(request, one))).toEqual([true, true]);
  });

  test('after an overlap begin another', async () => {
    const partner = await outbox.newReceiver(receiver.url);
    const second = await rotate(partner, 30);
    const third = await rotate(partner, 1);
    const request = await deliverOne(partner);
    expect([partner.secret, second, third].map((one) => verifies(request, one))).toEqual([false, true, true]);
  });
});

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { emit } from '#modules/outbox';
import { listDeliveries } from '#modules/webhooks';
import { useOutbox } from '../../support/outbox.ts';

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

import { beforeEach, describe, expect, test } from 'vitest';
import { getDelivery, listDeliveries } from '#modules/webhooks';
import { useDispatchers } from '../../support/dispatcher.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestReceiver, useOutbox } from '../../support/outbox.ts';
import { useReceiver } from '../../support/receiver.ts';
import { isSigned, standardSignature } from '../../support/signature.ts';

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
const start = () => dispatchers.start({ pool: outbox.pool }).pump();

const deliverOne = async (): Promise<TestReceiver> => {
  const partner = await outbox.newReceiver(receiver.url);
  await outbox.emitTo(partner);
  await start();
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
    await start();
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

import { describe, expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import {
  decide,
  initiate,
  newSide,
  newTag,
  offer,
  SHORT_MS,
  see,
  shortOffer,
  transactionEvents,
} from '../../support/switch.ts';

const server = useApp();

describe('200', () => {
  it('finds and decides a transaction by its id in capitals', async () => {
    const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
    const { id } = await offer(server, acme, market);
    const found = await see(server, acme, id.toUpperCase());
    expect([found.statusCode, found.json().data.id, found.json().data.webhooks.length]).toEqual([
      200,
      id,
      (await see(server, acme, id)).json().data.webhooks.length,
    ]);
    expect((await decide(server, market, id.toUpperCase(), 'accept')).statusCode).toBe(200);
  });

  it('shows a transaction to both sides, each with its own webhook records alone', async () => {
    const [acme, market] = [
      await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/acme' }),
      await newSide(server, 'Market', { webhookUrl: 'http://127.0.0.1:9/market' }),
    ];
    const { id, reference } = await offer(server, acme, market);
    await decide(server, market, id, 'accept');
    const [bySender, byReceiver] = [await see(server, acme, id), await see(server, market, id)];
    const { webhooks: senders, ...one } = bySender.json().data;
    const { webhooks: receivers, ...other } = byReceiver.json().data;
    expect(one).toEqual(other);
    expect(one).toMatchObject({ id, status: 'ACCEPTED' });
    const record = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transactionId: id,
      transactionReference: reference,
      status: 'PENDING',
      attempts: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(senders).toEqual([
      {
        ...record,
        applicationId: acme.applicationId,
        applicationName: 'Acme',
        direction: 'SENDER',
        targetUrl: 'http://127.0.0.1:9/acme',
        eventType: 'TRANSACTION_ACCEPTED',
      },
    ]);
    expect(receivers).toEqual([
      {
        ...record,
        applicationId: market.applicationId,
        applicationName: 'Market',
        direction: 'RECEIVER',
        targetUrl: 'http://127.0.0.1:9/market',
        eventType: 'TRANSACTION_INITIATED',
      },
    ]);
  });

  it('records of another transaction of the same reference are not shown with it', async () => {
    const market = await newSide(server, 'Market');
    const ids = [];
    for (const name of ['Acme', 'Rides']) {
      ids.push((await offer(server, await newSide(server, name), market, { reference: 'order-1' })).id);
    }
    for (const id of ids) {
      const { webhooks } = (await see(server, market, id)).json().data;
      expect(webhooks).toMatchObject([{ transactionId: id, eventType: 'TRANSACTION_INITIATED' }]);
    }
  });

  it('once a webhook is purged its record stands with its transaction, also where two have its reference', async () => {
    const market = await newSide(server, 'Market');
    const [acme, rides] = [await newSide(server, 'Acme'), await newSide(server, 'Rides')];
    const one = await offer(server, acme, market, { reference: 'order-1' });
    const other = await offer(server, rides, market, { reference: 'order-1' });
    const purge = `update outbox.event e set body = null, body_digest = sha256(convert_to(body, 'UTF8')) from outbox.receiver r
                    where r.id = e.receiver_id and r.owner_id = $1`;
    await server.owner.query(purge, [market.applicationId]);
    for (const { id } of [one, other]) {
      const { webhooks } = (await see(server, market, id)).json().data;
      expect(webhooks).toMatchObject([{ transactionId: id, eventType: 'TRANSACTION_INITIATED' }]);
    }
  });

  it('an overdue one is EXPIRED before and after the sweep, which notifies both sides, one application once', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await shortOffer(server, acme, market);
    const own = await shortOffer(server, acme, { ...acme, tag: await newTag(server, acme) });
    server.clock.advance(SHORT_MS);
    expect((await see(server, acme, id)).json()).toMatchObject({ data: { status: 'EXPIRED' } });
    await maintain(server.resources);
    const { data } = (await see(server, acme, id)).json();
    expect(data).toMatchObject({
      status: 'EXPIRED',
      webhooks: [{ eventType: 'TRANSACTION_EXPIRED', direction: 'SENDER' }],
    });
    expect((await see(server, market, id)).json().data.webhooks).toMatchObject([
      { eventType: 'TRANSACTION_INITIATED' },
      { eventType: 'TRANSACTION_EXPIRED', direction: 'RECEIVER' },
    ]);
    const expired = (await transactionEvents(server, acme)).filter(({ event }) => event === 'TRANSACTION_EXPIRED');
    expect(expired.map((event) => event.data.id)).toEqual([id, own.id]);
  });
});

it('200: a declined one, to its sender alone, with its reason', async () => {
  const [acme, market] = [await newSide(server), await newSide(server)];
  await initiate(server, acme, { receiverTag: market.tag, amount: 2_000_000, reference: 'declined' });
  const found = await server.call('GET', '/api/v1/transactions?reference=declined', { headers: acme.headers });
  const [declined] = found.json<{ data: { id: string }[] }>().data;
  const bySender = await see(server, acme, declined?.id ?? '');
  expect(bySender.json().data).toEqual(declined);
  expect(declined).toMatchObject({ status: 'DECLINED', failureReason: 'INSUFFICIENT_FUNDS' });
  expect((await see(server, market, declined?.id ?? '')).statusCode).toBe(404);
  const cancelled = await decide(server, acme, declined?.id ?? '', 'cancel');
  expect([cancelled.statusCode, cancelled.json().errorCode]).toEqual([409, 'TRANSACTION_NOT_PENDING']);
});

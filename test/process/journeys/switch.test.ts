import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, type ClientCall, clientOf } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv } from '../../support/process.ts';
import { isSigned, type Receiver, useReceiver } from '../../support/receiver.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const database = useDatabase();
const receivers = { acme: useReceiver(), market: useReceiver() };
let server: ServedHere;
let call: Client;

interface Application {
  applicationId: string;
  client_id: string;
  client_secret: string;
  tag: string;
  headers: { authorization: string };
  receiver: Receiver;
}
interface Transaction {
  id: string;
  reference: string;
  status: string;
  webhooks: { eventType: string; direction: string; status: string; attempts: number; targetUrl: string }[];
}
interface Enveloped<Data> extends Record<string, unknown> {
  success: boolean;
  data: Data;
}
let acme: Application;
let market: Application;
let order: Transaction;

const ask = async <Data>(method: 'GET' | 'POST', path: string, given: ClientCall = {}) =>
  (await call<Enveloped<Data>>(method, `/api/v1${path}`, given)).body.data;

async function enrol(applicationName: string, tagString: string, receiver: Receiver): Promise<Application> {
  const json = { applicationName, webhookUrl: receiver.url };
  const made = await ask<Omit<Application, 'tag' | 'headers' | 'receiver'>>('POST', '/applications', { json });
  const { client_id, client_secret } = made;
  const token = await call<{ access_token: string }>('POST', '/api/v1/auth/token', {
    form: { client_id, client_secret },
  });
  const headers = { authorization: `Bearer ${token.body.access_token}` };
  await ask('POST', '/subjects', { headers, json: { externalId: 'till' } });
  await ask('POST', '/tags', { headers, json: { tagString, externalId: 'till' } });
  return { ...made, tag: tagString, headers, receiver };
}

/** An event as the application's server got it: signed with its client id, by another implementation's reckoning too. */
async function receivedEvent(application: Application, event: string, reference: string): Promise<Transaction> {
  const parse = (body: Buffer) =>
    JSON.parse(body.toString()) as { event: string; reference: string; data: Transaction };
  const request = await application.receiver.waitFor(({ body }) => {
    const one = parse(body);
    return one.event === event && one.reference === reference;
  });
  expect(await isSigned(request, application.client_id)).toBe(true);
  return parse(request.body).data;
}

const wallet = ({ headers }: Application) =>
  ask<{ totalAmount: number; suspendedAmount: number; availableAmount: number }>('GET', '/wallet', { headers });
const pendingOf = ({ headers }: Application) =>
  ask<{ totalElements: number; content: Transaction[] }>('GET', '/transactions/pending', { headers });

beforeAll(async () => {
  server = await serveHere({ ...serverEnv(database.url), FEE_SWITCH: '0.5%' });
  call = clientOf(server.url);
  acme = await enrol('Acme', 'acme-till', receivers.acme);
  market = await enrol('Market', 'market-till', receivers.market);
});
afterAll(() => server?.stop());

it('1. an application offers money: it is held, and the other’s server is told', async () => {
  const json = {
    senderTag: 'acme-till',
    receiverTag: '@market-till',
    amount: 2500,
    currency: 'NGN',
    reference: 'order-1',
  };
  order = await ask<Transaction>('POST', '/transactions', { headers: acme.headers, json });
  expect(order).toMatchObject({ status: 'AWAITING_ACCEPTANCE', fee: 12.5 });
  const initiated = await receivedEvent(market, 'TRANSACTION_INITIATED', 'order-1');
  expect(initiated).toEqual({ ...order, narration: '', rejectionReason: '', webhooks: [] });
  expect(await wallet(acme)).toMatchObject({ totalAmount: 1_000_000, suspendedAmount: 2512.5 });
});

it('2. the other finds it in its pending list, with the record of that webhook, and accepts it', async () => {
  const [waiting] = (await pendingOf(market)).content;
  expect(waiting).toMatchObject({ id: order.id, status: 'AWAITING_ACCEPTANCE' });
  expect((await pendingOf(acme)).content).toEqual([]);
  const accepted = await ask<Transaction>('POST', `/transactions/${order.id}/accept`, { headers: market.headers });
  expect(accepted.status).toBe('ACCEPTED');
  expect((await pendingOf(market)).totalElements).toBe(0);
});

it('3. both wallets have moved, once, and the sender’s server is told', async () => {
  expect(await receivedEvent(acme, 'TRANSACTION_ACCEPTED', 'order-1')).toMatchObject({
    id: order.id,
    status: 'ACCEPTED',
  });
  expect(await wallet(acme)).toMatchObject({ totalAmount: 997_487.5, suspendedAmount: 0, availableAmount: 997_487.5 });
  expect(await wallet(market)).toMatchObject({ totalAmount: 1_002_500, suspendedAmount: 0 });
  const again = await call('POST', `/api/v1/transactions/${order.id}/accept`, { headers: market.headers });
  expect(again).toMatchObject({ status: 409, body: { errorCode: 'TRANSACTION_NOT_PENDING', data: null } });
});

it('4. each sees how it was told, and not how the other was', async () => {
  for (const [application, direction, eventType] of [
    [acme, 'SENDER', 'TRANSACTION_ACCEPTED'],
    [market, 'RECEIVER', 'TRANSACTION_INITIATED'],
  ] as const) {
    await eventually(async () => {
      const { webhooks } = await ask<Transaction>('GET', `/transactions/${order.id}`, { headers: application.headers });
      expect(webhooks).toMatchObject([
        {
          transactionId: order.id,
          transactionReference: 'order-1',
          applicationId: application.applicationId,
          direction,
          eventType,
          targetUrl: application.receiver.url,
          status: 'DELIVERED',
          attempts: 1,
          deliveredAt: expect.any(String),
        },
      ]);
    });
  }
});

it('5. what is rejected, cancelled and left to expire comes back, each told to the other side', async () => {
  const given = { senderTag: 'acme-till', receiverTag: 'market-till', amount: 100, currency: 'NGN' };
  const offerNamed = (reference: string, more: object = {}) =>
    ask<Transaction>('POST', '/transactions', { headers: acme.headers, json: { ...given, reference, ...more } });
  const [rejected, cancelled] = [await offerNamed('rejected'), await offerNamed('cancelled')];
  await offerNamed('expired', { expiresAt: new Date(Date.now() + 5_000).toISOString() });
  const json = { rejectionReason: 'out of stock' };
  await ask('POST', `/transactions/${rejected.id}/reject`, { headers: market.headers, json });
  await ask('POST', `/transactions/${cancelled.id}/cancel`, { headers: acme.headers });

  expect(await receivedEvent(acme, 'TRANSACTION_REJECTED', 'rejected')).toMatchObject({
    rejectionReason: 'out of stock',
  });
  expect(await receivedEvent(market, 'TRANSACTION_CANCELLED', 'cancelled')).toMatchObject({ status: 'CANCELLED' });
  for (const application of [acme, market]) {
    expect(await receivedEvent(application, 'TRANSACTION_EXPIRED', 'expired')).toMatchObject({ status: 'EXPIRED' });
  }
  expect(await wallet(acme)).toMatchObject({ totalAmount: 997_487.5, suspendedAmount: 0 });
});

it('6. the books say of themselves that they are right', async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  expect(await call('GET', '/operator/v1/ledger/check', { headers })).toMatchObject({ body: { ok: true } });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Client,
  clientOf,
  type Method,
  type RemoteCustomer,
  remoteCustomer,
  remotePartner,
} from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../../support/process.ts';
import { isSigned, type Received, type Receiver, useReceiver, type WebhookEvent } from '../../support/receiver.ts';

const database = useDatabase();
const receivers = { acme: useReceiver(), bolt: useReceiver() };
let server: ServerProcess;
let call: Client;
let acme: Awaited<ReturnType<typeof remotePartner>>;
let bolt: typeof acme;
let ada: RemoteCustomer;
let bola: RemoteCustomer;

const operate = (method: Method, path: string, json?: object) =>
  call(method, `/operator/v1${path}`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    ...(json === undefined ? {} : { json }),
  });
const atAcme = (method: Method, path: string, json?: object) =>
  call(method, `/v2/partner${path}`, { headers: acme.headers, ...(json === undefined ? {} : { json }) });

const eventIn = ({ body }: Received): WebhookEvent => JSON.parse(body.toString());

/** The event that tells of a transaction, as it arrived, its signature verified with the partner's client id. */
async function receivedEvent(receiver: Receiver, clientId: string, reference: string): Promise<WebhookEvent> {
  const transactionOf = (request: Received) => eventIn(request).data['Transaction'] as { Reference: string };
  const request = await receiver.waitFor((one) => transactionOf(one).Reference === reference);
  expect(await isSigned(request, clientId)).toBe(true);
  expect(request.headers['content-type']).toBe('application/json');
  return eventIn(request);
}

beforeAll(async () => {
  server = await startServer({ ...serverEnv(database.url), FEE_TRANSFER: '10' });
  call = clientOf(server.url);
  acme = await remotePartner(call, { name: 'Acme', webhookUrl: receivers.acme.url, float: 2_000 });
  bolt = await remotePartner(call, { name: 'Bolt', webhookUrl: receivers.bolt.url });
  const people = { bvn: '22233344455', firstName: 'Ada', phone: '08031234567', paytag: 'ada.obi' };
  ada = await remoteCustomer(call, acme, people);
  bola = await remoteCustomer(call, bolt, { ...people, bvn: '22233344466', phone: '08051234567', paytag: 'bola' });
});
afterAll(() => server?.stop());

it('1. a partner credits its customer, and is told', async () => {
  const credit = { amount: 1_000, reference: 'salary-5', comment: 'May' };
  const credited = await atAcme('POST', `/wallet/${ada.wallet}/credit`, credit);
  expect(credited).toMatchObject({ status: 200, body: { Status: 'Successful', ClosingBalance: 1_000 } });
  expect(await receivedEvent(receivers.acme, acme.clientId, 'salary-5')).toMatchObject({
    event: 'wallet.credited',
    reference: ada.wallet,
    data: { Amount: 1_000, Operation: 'Credit', OpeningBalance: 0, ClosingBalance: 1_000 },
  });
});

it('2. she pays a customer of another partner: each partner is told of its own wallet, and her limit knows', async () => {
  const json = { paytag: '@bola', amount: 250.5, reference: 'rent', comment: 'Half of it' };
  const sent = await call('POST', '/v2/sso/transaction', { headers: ada.headers, json });
  expect(sent).toMatchObject({ status: 200, body: { Fee: 10, ClosingBalance: 739.5, ExternalReference: 'rent' } });
  const reference = String(sent.body['Reference']);
  const limit = await call('GET', '/v2/sso/wallet/limit', { headers: ada.headers });

  const debited = await receivedEvent(receivers.acme, acme.clientId, reference);
  const credited = await receivedEvent(receivers.bolt, bolt.clientId, reference);
  expect(debited).toMatchObject({
    event: 'wallet.debited',
    reference: ada.wallet,
    data: { Amount: -260.5, Transaction: { Amount: 250.5, Fee: 10, ExternalReference: 'rent' } },
  });
  expect(credited).toMatchObject({
    event: 'wallet.credited',
    reference: bola.wallet,
    data: { Amount: 250.5, Transaction: { Amount: 250.5, Fee: 0 }, OpeningBalance: 0, ClosingBalance: 250.5 },
  });
  expect(limit.body).toEqual({ Limit: 200_000, Spent: 260.5, Remaining: 199_739.5 });
});

it('3. a debit is given back in parts: the wallet is credited by the reversal, which names the original', async () => {
  await atAcme('POST', `/wallet/${ada.wallet}/debit`, { amount: 300, reference: 'order-1' });
  const part = await atAcme('POST', '/transaction/order-1/refund', { reference: 'refund-1', amount: 100 });
  expect(part).toMatchObject({ status: 200, body: { Type: 'PARTNER_REFUND', Status: 'Successful', Amount: 100 } });
  expect(await receivedEvent(receivers.acme, acme.clientId, 'refund-1')).toMatchObject({
    event: 'wallet.credited',
    reference: ada.wallet,
    data: {
      Amount: 100,
      Transaction: { Amount: 100, Status: 'Successful', Reference: 'refund-1', ExternalReference: 'order-1' },
    },
  });
  const over = await atAcme('POST', '/transaction/order-1/refund', { reference: 'too-much', amount: 200.01 });
  expect(over).toMatchObject({ status: 422, body: { errorCode: 'REFUND_EXCEEDS' } });
});

it('4. while her wallet is blocked the rest waits, and comes when it is enabled', async () => {
  const block = await operate('PATCH', `/wallets/${ada.wallet}`, { status: 'Blocked', reason: 'a complaint' });
  expect(block).toMatchObject({ status: 200, body: { status: 'Blocked' } });
  const waiting = await atAcme('POST', '/transaction/order-1/refund', { reference: 'refund-2' });
  expect(waiting).toMatchObject({ status: 200, body: { Status: 'Pending', Amount: 200 } });
  const refused = await atAcme('POST', `/wallet/${ada.wallet}/debit`, { amount: 1, reference: 'while-blocked' });
  expect(refused).toMatchObject({ status: 422, body: { errorCode: 'WALLET_BLOCKED' } });
  expect(receivers.acme.events).toHaveLength(4);

  await operate('PATCH', `/wallets/${ada.wallet}`, { status: 'Enabled', reason: 'settled' });
  expect(await receivedEvent(receivers.acme, acme.clientId, 'refund-2')).toMatchObject({
    event: 'wallet.credited',
    data: { Amount: 200, Transaction: { ExternalReference: 'order-1' }, OpeningBalance: 539.5, ClosingBalance: 739.5 },
  });
  const settled = await atAcme('GET', '/transaction/refund-2');
  expect(settled.body).toMatchObject({ Status: 'Successful', ClosingBalance: 739.5 });
  expect((await atAcme('GET', '/transaction/order-1')).body).toMatchObject({ Status: 'Reversed' });
});

it('5. her history, her limit and the float tell the same story, and the books are in order', async () => {
  const history = await call<{ items: Record<string, unknown>[]; count: number }>('GET', '/v2/sso/transaction', {
    headers: ada.headers,
  });
  expect(history.body.count).toBe(5);
  expect(history.body.items.map((one) => [one['Type'], one['OpeningBalance'], one['ClosingBalance']])).toEqual([
    ['PARTNER_REFUND', 539.5, 739.5],
    ['PARTNER_REFUND', 439.5, 539.5],
    ['PARTNER_WALLET_DEBIT', 739.5, 439.5],
    ['TRANSFER', 1_000, 739.5],
    ['PARTNER_WALLET_CREDIT', 0, 1_000],
  ]);
  const payout = { amount: 1_000, reference: 'payout-1' };
  const settled = await operate('POST', `/partners/${acme.id}/settlement`, payout);
  expect(settled.body).toEqual({ currency: 'NGN', balance: 0 });
  const over = await operate('POST', `/partners/${acme.id}/settlement`, { ...payout, reference: 'payout-2' });
  expect(over).toMatchObject({ status: 422, body: { errorCode: 'INSUFFICIENT_FUNDS' } });
  expect((await atAcme('GET', '/float')).body).toMatchObject({ items: [{ Currency: 'NGN', Balance: 0 }, {}] });
  expect((await operate('GET', '/ledger/check')).body).toMatchObject({ ok: true });
});

it('6. each event was delivered once, and closing ends the maintenance of the books in good order', async () => {
  await eventually(async () => {
    const listed = await operate('GET', '/deliveries?status=DELIVERED');
    expect(listed.body['count']).toBe(6);
  });
  expect([receivers.acme.requests.length, receivers.bolt.requests.length]).toEqual([5, 1]);
  expect(await server.stop()).toBe(0);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, remotePartner } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv } from '../../support/process.ts';
import { isSigned, useReceiver, type WebhookEvent } from '../../support/receiver.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const CHARGES = {
  FEE_PARTNER_TERMINAL: '1.5%',
  FEE_PARTNER_GATEWAY: '1%<=20',
  FEE_COMMISSION: '0.25%',
  FEE_STAMP_DUTY: '50>=10000',
};
const SERIAL = 'PAX-A920-7';
const bola = { name: 'Bola Ade', paytag: 'bola', type: 'CARD' };

const database = useDatabase();
const receiver = useReceiver();
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
let server: ServedHere;
let call: Client;
let acme: Awaited<ReturnType<typeof remotePartner>>;
let split: string;
let wallet: { Reference: string; Wallet: { Nuban: string } };

beforeAll(async () => {
  server = await serveHere({ ...serverEnv(database.url), ...CHARGES });
  call = clientOf(server.url);
  acme = await remotePartner(call, { name: 'Acme', webhookUrl: receiver.url });
});
afterAll(() => server?.stop());

const operate = (path: string, json: object) => call('POST', `/operator/v1${path}`, { headers: operator, json });
const atTerminal = (path: string) => call('GET', path, { headers: { ...acme.headers, 'x-terminal': SERIAL } });

/** The event of a reference, as the partner's server got it: signed, by another implementation's reckoning too. */
async function receivedEvent(event: string, reference: string): Promise<WebhookEvent['data']> {
  const isIt = (body: Buffer) => {
    const one = JSON.parse(body.toString()) as WebhookEvent & { data: { Transaction?: { Reference: string } } };
    return one.event === event && (one.data.Transaction?.Reference ?? one.reference) === reference;
  };
  const request = await receiver.waitFor(({ body }) => isIt(body));
  expect(await isSigned(request, acme.clientId)).toBe(true);
  const text = request.body.toString();
  expect(text).toBe(JSON.stringify(JSON.parse(text)));
  return (JSON.parse(text) as WebhookEvent).data;
}

it('1. the operator gives a partner a terminal, and a split to pay at it', async () => {
  const terminal = await operate('/terminals', {
    partnerId: acme.id,
    serialNumber: SERIAL,
    terminalId: '2ABC0007',
    merchant: 'Mama Nkechi Stores',
    email: 'till@nkechi.example',
    phoneNumber: '+2348031234567',
    paytag: 'nkechi',
    metadata: { shelf: 4 },
  });
  expect(terminal).toMatchObject({ status: 201, body: { status: 'Active', balance: 0 } });
  const made = await operate(`/terminals/${SERIAL}/splits`, { amount: 30_000, title: 'Fridge', description: 'Thrice' });
  expect(made).toMatchObject({ status: 201, body: { Status: 'Pending', Remaining: 30_000 } });
  split = String(made.body['Reference']);
});

it('2. it is paid in three instalments up to Paid, each told with every member, and one more waits', async () => {
  for (const [number, amount, remaining] of [
    [1, 10_000.01, 19_999.99],
    [2, 9_999.99, 10_000],
    [3, 10_000, 0],
  ] as const) {
    const reference = `instalment-${number}`;
    const report = { type: 'PARTNER_TERMINAL', terminal: SERIAL, split, amount, reference, sender: bola };
    const paid = await operate('/transactions', { ...report, comment: 'Fridge', metadata: { month: number } });
    expect(paid).toMatchObject({ status: 200, body: { Fee: 150, Commission: 25, ExternalReference: split } });
    const seen = await atTerminal(`/v2/partner/terminal/split/${split}`);
    expect(seen.body).toMatchObject({ Remaining: remaining, Status: remaining === 0 ? 'Paid' : 'Pending' });
    expect(await receivedEvent('transaction.status', reference)).toEqual({
      Amount: amount,
      Fee: 150,
      Commission: 25,
      Net: paid.body['Net'],
      Reference: reference,
      Sender: 'Bola Ade',
      SenderDetails: { Name: 'Bola Ade', Paytag: 'bola', Type: 'CARD', Currency: 'NGN', Amount: amount, Fee: 150 },
      Recipient: 'Mama Nkechi Stores',
      Status: 'Successful',
      Comment: 'Fridge',
      Date: paid.body['CreatedAt'],
      CompletedAt: paid.body['CompletedAt'],
      Metadata: { month: number },
      Terminal: {
        SerialNumber: SERIAL,
        TerminalID: '2ABC0007',
        Merchant: 'Mama Nkechi Stores',
        Email: 'till@nkechi.example',
        PhoneNumber: '+2348031234567',
        Status: 'Active',
        PayTag: 'nkechi',
        Qr: `http://localhost:${server.port}/p/nkechi`,
        CreatedAt: expect.any(String),
        Metadata: { shelf: 4 },
        Balance: [9825.01, 19_650, 29_475][number - 1],
      },
    });
  }
  const more = {
    type: 'PARTNER_TERMINAL',
    terminal: SERIAL,
    split,
    amount: 1,
    reference: 'instalment-4',
    sender: bola,
  };
  expect(await operate('/transactions', more)).toMatchObject({
    status: 200,
    body: { Status: 'Pending', PendingReason: 'SPLIT_NOT_PAYABLE' },
  });
  const seen = await atTerminal(`/v2/partner/terminal/split/${split}`);
  expect(seen.body).toMatchObject({ TotalPaid: 30_000, Remaining: 0, Status: 'Paid' });
});

it('3. the partner lists the splits of its terminal, and makes and cancels one itself', async () => {
  const headers = { ...acme.headers, 'x-terminal': SERIAL };
  const json = { amount: 50, title: 'Soap', reference: 'soap-1' };
  expect(await call('POST', '/v2/partner/terminal/split', { headers, json })).toMatchObject({ status: 200 });
  const cancelled = await call('POST', '/v2/partner/terminal/split/soap-1/cancel', { headers });
  expect(cancelled.body).toMatchObject({ Status: 'Cancelled' });
  const listed = await atTerminal('/v2/partner/terminal/splits?limit=5');
  expect(listed.body).toMatchObject({
    items: [
      { Reference: 'soap-1', Status: 'Cancelled' },
      { Reference: split, Status: 'Paid' },
    ],
    count: 2,
    limit: 5,
    offset: 0,
  });
});

it('4. gateway payments reach a wallet and the float, told as transaction.status and the wallet’s as wallet.credited', async () => {
  const kyc = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  wallet = (await call<typeof wallet>('POST', '/v2/partner/wallet', { headers: acme.headers, json: kyc })).body;
  const gateway = { type: 'PARTNER_GATEWAY', partnerId: acme.id, amount: 1000, sender: { name: 'Bola Ade' } };
  const walletReference = wallet.Reference;
  const toWallet = await operate('/transactions', { ...gateway, reference: 'order-1', walletReference });
  expect(toWallet.body).toMatchObject({ Fee: 10, Commission: 2.5, Net: 987.5, ClosingBalance: 987.5 });
  expect(await receivedEvent('transaction.status', 'order-1')).toMatchObject({
    Net: 987.5,
    Recipient: walletReference,
  });
  expect(await receivedEvent('wallet.credited', 'order-1')).toMatchObject({
    Amount: 987.5,
    Operation: 'Credit',
    Transaction: { Amount: 1000, Fee: 10, Status: 'Successful' },
    OpeningBalance: 0,
    ClosingBalance: 987.5,
  });

  const toFloat = await operate('/transactions', { ...gateway, reference: 'order-2', amount: 5000 });
  expect(toFloat.body).toMatchObject({ Fee: 20, Commission: 12.5, Net: 4967.5 });
  expect(await receivedEvent('transaction.status', 'order-2')).toMatchObject({ Net: 4967.5, Recipient: 'Acme' });
});

it('5. a bank transfer reaches the wallet by its account number, less stamp duty', async () => {
  const inbound = { type: 'INBOUND', nuban: wallet.Wallet.Nuban, amount: 20_000, reference: 'NIP-1', sender: bola };
  const arrived = await operate('/transactions', inbound);
  expect(arrived).toMatchObject({
    status: 200,
    body: { Net: 19_950, OpeningBalance: 987.5, ClosingBalance: 20_937.5 },
  });
  const data = await receivedEvent('wallet.credited', String(arrived.body['Reference']));
  expect(data).toMatchObject({ Amount: 19_950, Transaction: { Amount: 20_000, Fee: 0, ExternalReference: 'NIP-1' } });
  expect((await operate('/transactions', inbound)).body).toEqual(arrived.body);
});

it('6. the partner was told each of them once, and nothing of what waits or was repeated', async () => {
  const deliveries = () =>
    call<{ count: number }>('GET', `/operator/v1/deliveries?partnerId=${acme.id}&status=DELIVERED`, {
      headers: operator,
    });
  await eventually(async () => expect((await deliveries()).body.count).toBe(7));
  expect(receiver.events.map(({ event, reference }) => `${event} ${reference}`).toSorted()).toEqual([
    'transaction.status instalment-1',
    'transaction.status instalment-2',
    'transaction.status instalment-3',
    'transaction.status order-1',
    'transaction.status order-2',
    `wallet.credited ${wallet.Reference}`,
    `wallet.credited ${wallet.Reference}`,
  ]);
});

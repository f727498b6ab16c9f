import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, type Method, remoteCustomer, remotePartner, ssoOf } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv } from '../../support/process.ts';
import { isSigned, useReceiver } from '../../support/receiver.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const database = useDatabase();
const receivers = { acme: useReceiver(), bolt: useReceiver() };
const BVN = '22233344455';

interface Side extends Awaited<ReturnType<typeof remotePartner>> {
  /** Her wallet here. */
  wallet: string;
  /** The partner's credentials with her token. */
  customer: Record<string, string>;
}
interface List {
  items: Record<string, unknown>[];
  count: number;
}
let server: ServedHere;
let call: Client;
let acme: Side;
let bolt: Side;

const at = <Body = Record<string, unknown>>({ headers }: Side, method: Method, path: string, json?: object) =>
  call<Body>(method, `/v2/partner${path}`, { headers, ...(json === undefined ? {} : { json }) });
const balance = async (headers: Record<string, string>) =>
  (await call('GET', '/v2/sso/wallet', { headers })).body['Balance'];

beforeAll(async () => {
  server = await serveHere(serverEnv(database.url));
  call = clientOf(server.url);
  const [first, second] = [
    await remotePartner(call, { name: 'Acme', webhookUrl: receivers.acme.url, float: 10_000 }),
    await remotePartner(call, { name: 'Bolt', webhookUrl: receivers.bolt.url, float: 10_000 }),
  ];
  const ada = await remoteCustomer(call, first, { bvn: BVN, firstName: 'Ada', phone: '08031234567', paytag: 'ada' });
  acme = { ...first, wallet: ada.wallet, customer: ada.headers };
  bolt = { ...second, wallet: '', customer: {} };
});
afterAll(() => server?.stop());

it('1. another partner finds her by BVN, and she logs in there: a wallet and a token of their own', async () => {
  const path = `/paytag/bvn/${BVN}`;
  const linked = await at<{ Reference: string; Wallet: { Nuban: string } }>(bolt, 'POST', path);
  bolt = { ...bolt, wallet: linked.body.Reference, customer: await ssoOf(call, bolt).customer('ada') };
  const hers = await call('GET', '/v2/sso/wallet', { headers: bolt.customer });
  expect(hers.body).toMatchObject({ Nuban: linked.body.Wallet.Nuban, Balance: 0 });
  const first = await call('GET', '/v2/sso/wallet', { headers: acme.customer });
  expect(first.body['Nuban']).not.toBe(linked.body.Wallet.Nuban);
});

it('2. a reference that both use moves money at each, and each sees its own alone', async () => {
  const [here, there] = await Promise.all([
    at(acme, 'POST', `/wallet/${acme.wallet}/credit`, { amount: 300, reference: 'salary', comment: 'from Acme' }),
    at(bolt, 'POST', `/wallet/${bolt.wallet}/credit`, { amount: 45.5, reference: 'salary', comment: 'from Bolt' }),
  ]);
  expect([here.body['ClosingBalance'], there.body['ClosingBalance']]).toEqual([300, 45.5]);
  expect(await Promise.all([balance(acme.customer), balance(bolt.customer)])).toEqual([300, 45.5]);
  for (const [side, comment] of [
    [acme, 'from Acme'],
    [bolt, 'from Bolt'],
  ] as const) {
    expect((await at(side, 'GET', '/transaction/salary')).body).toMatchObject({ Comment: comment });
    const history = await call<List>('GET', '/v2/sso/transaction', { headers: side.customer });
    expect(history.body).toMatchObject({ count: 1, items: [{ Comment: comment }] });
  }
});

it('3. each is told of its own wallet, in its own signature, and can read no delivery of the other', async () => {
  for (const [side, receiver, other] of [
    [acme, receivers.acme, bolt],
    [bolt, receivers.bolt, acme],
  ] as const) {
    const request = await receiver.waitFor(({ body }) => body.includes('"salary"'));
    expect(await isSigned(request, side.clientId)).toBe(true);
    expect(await isSigned(request, other.clientId)).toBe(false);
    const deliveries = await at<List>(side, 'GET', '/webhook/deliveries');
    expect(deliveries.body.count).toBe(1);
    const id = String(deliveries.body.items[0]?.['id']);
    expect((await at(side, 'GET', `/webhook/deliveries/${id}`)).status).toBe(200);
    expect((await at(other, 'GET', `/webhook/deliveries/${id}`)).status).toBe(404);
    expect((await at(other, 'POST', `/webhook/deliveries/${id}/resend`)).status).toBe(404);
  }
  expect(receivers.acme.events.map(({ reference }) => reference)).toEqual([acme.wallet]);
  expect(receivers.bolt.events.map(({ reference }) => reference)).toEqual([bolt.wallet]);
});

it('4. a partner that has the other’s references and her token gets nothing out of them', async () => {
  const takeIt = { amount: 1, reference: 'mine-now' };
  const attempts = [
    ['GET', `/wallet/${bolt.wallet}`],
    ['GET', `/wallet/${bolt.wallet}/history`],
    ['POST', `/wallet/${bolt.wallet}/debit`, takeIt],
    ['POST', `/wallet/${bolt.wallet}/credit`, takeIt],
  ] as const;
  const unknown = await at(acme, 'GET', '/wallet/nobody-has-this');
  for (const [method, path, json] of attempts) {
    const answer = await at(acme, method, path, json);
    expect([answer.status, answer.body['errorCode']]).toEqual([404, unknown.body['errorCode']]);
  }
  const listed = await at<List>(acme, 'GET', '/wallet?limit=100');
  expect(listed.body.items.map((one) => one['Reference'])).toEqual([acme.wallet]);

  const mixed = { ...acme.headers, authorization: bolt.customer['authorization'] ?? '' };
  for (const path of ['/wallet', '/transaction', '/wallet/limit', '/beneficiary', '/qr']) {
    expect(await call('GET', `/v2/sso${path}`, { headers: mixed })).toMatchObject({
      status: 401,
      body: { errorCode: 'INVALID_CUSTOMER_TOKEN' },
    });
  }
  const refund = await at(acme, 'POST', '/transaction/salary/refund', { reference: 'refund' });
  expect(refund.body).toMatchObject({ Amount: 300 });
  expect(await balance(bolt.customer)).toBe(45.5);
});

it('5. revoked at one, she is out there for good, and everything at the other stays as it was', async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const json = { reason: 'Acme says goodbye' };
  const revoked = await call('POST', `/operator/v1/wallets/${acme.wallet}/revoke`, { headers, json });
  expect(revoked).toMatchObject({ status: 200 });
  expect((await call('GET', '/v2/sso/wallet', { headers: acme.customer })).status).toBe(401);
  const credit = { amount: 1, reference: 'too-late' };
  expect((await at(acme, 'POST', `/wallet/${acme.wallet}/credit`, credit)).status).toBe(404);

  expect(await balance(bolt.customer)).toBe(45.5);
  const rent = await at(bolt, 'POST', `/wallet/${bolt.wallet}/debit`, { amount: 5.5, reference: 'rent' });
  expect(rent.body).toMatchObject({ Status: 'Successful', ClosingBalance: 40 });
  await receivers.bolt.waitFor(({ body }) => body.includes('"rent"'));
});

it('6. money to her PayTag arrives where she still has a wallet, and the first partner hears nothing of it', async () => {
  const given = { bvn: '22233344466', firstName: 'Bola', phone: '08051234567', paytag: 'bola' };
  const bola = await remoteCustomer(call, acme, given);
  await at(acme, 'POST', `/wallet/${bola.wallet}/credit`, { amount: 20, reference: 'pocket' });
  const before = receivers.bolt.requests.length;
  const json = { paytag: 'ada', amount: 20, reference: 'present' };
  const sent = await call('POST', '/v2/sso/transaction', { headers: bola.headers, json });
  expect(sent).toMatchObject({ status: 200, body: { Status: 'Successful' } });
  expect(await balance(bolt.customer)).toBe(60);
  await eventually(() => expect(receivers.bolt.requests.length).toBe(before + 1));
  await receivers.acme.waitFor(({ body }) => body.includes('"present"'));
  const toldToAcme = receivers.acme.events.map(({ reference }) => reference);
  expect(toldToAcme).not.toContain(bolt.wallet);
  expect(new Set(toldToAcme)).toEqual(new Set([acme.wallet, bola.wallet]));
});

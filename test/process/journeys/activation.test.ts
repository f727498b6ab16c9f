import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, PASSWORD, remotePartner, ssoOf } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { serverEnv } from '../../support/process.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';
import { useMessages } from './messages.ts';

const database = useDatabase();
const messages = useMessages();
const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: '22233344455' };
const onRecord = { phone: '+2348031234567', email: 'ada@example.com' };
const thief = { phone: '+2348059999999', email: 'thief@example.com' };

let server: ServedHere;
let call: Client;
let partner: Awaited<ReturnType<typeof remotePartner>>;
let sso: ReturnType<typeof ssoOf>;
let wallet: { Reference: string; Wallet: { Nuban: string } };
let session: string;

beforeAll(async () => {
  server = await serveHere({ ...serverEnv(database.url), ...messages.env });
  call = clientOf(server.url);
  partner = await remotePartner(call, { name: 'Acme', float: 10_000 });
  sso = ssoOf(call, partner);
});
afterAll(() => server?.stop());

it('1. a partner creates a customer’s PayTag and pays them before their first visit', async () => {
  const { headers } = partner;
  const json = { ...ada, ...onRecord, tag: 'ada' };
  wallet = (await call<typeof wallet>('POST', '/v2/partner/paytag', { headers, json })).body;
  const salary = { amount: 7_500.25, reference: 'salary' };
  const paid = await call('POST', `/v2/partner/wallet/${wallet.Reference}/credit`, { headers, json: salary });
  expect(paid.body).toMatchObject({ Status: 'Successful', ClosingBalance: 7_500.25 });
  expect(messages.texts).toEqual([]);
});

it('2. without a password no one can log in as the customer or reset a password', async () => {
  expect(await sso.logIn('ada', 'anything at all 9')).toMatchObject({
    status: 401,
    body: { errorCode: 'PASSWORD_NOT_SET' },
  });
  const reset = await sso.forget('ada');
  expect(reset.body).toMatchObject({ errorCode: 'PASSWORD_NOT_SET' });
});

it('3. someone who knows the BVN, names and birth date sees masked addresses, and gets no code', async () => {
  const started = await sso.start({ ...ada, ...thief, paytag: 'thief' });
  expect(started).toMatchObject({ status: 200, body: { status: 'STARTED', channels: ['sms', 'whatsapp', 'email'] } });
  expect(started.text).not.toMatch(/thief@|59999999|ada@example|8031234567/);
  for (const channel of ['sms', 'whatsapp', 'email']) {
    expect((await sso.sendOtp(started.body.session, channel)).status).toBe(200);
  }
  await messages.codeAt(onRecord.email);
  expect(messages.texts.map(({ channel, to }) => [channel, to])).toEqual([
    ['sms', onRecord.phone],
    ['whatsapp', onRecord.phone],
  ]);
  expect(messages.mailedTo).toEqual([onRecord.email]);
  const early = await sso.complete(started.body.session, { paytag: 'ada', password: PASSWORD });
  expect(early).toMatchObject({ status: 409, body: { errorCode: 'SESSION_NOT_VALIDATED' } });
});

it('4. the customer confirms the code on their own phone, and keeps their PayTag', async () => {
  session = (await sso.start(ada)).body.session;
  await sso.sendOtp(session);
  const code = await messages.codeAt(onRecord.phone);
  expect((await sso.giveOtp(session, code)).body).toMatchObject({ validated: true });
  const other = await sso.complete(session, { paytag: 'ada.the.second', password: PASSWORD });
  expect(other).toMatchObject({ status: 409, body: { errorCode: 'PAYTAG_MISMATCH' } });
  const done = await sso.complete(session, { paytag: '@ada', password: PASSWORD });
  expect(done).toMatchObject({ status: 200, body: { Tag: 'ada', Name: 'Ada Obi', Phone: onRecord.phone } });
});

it('5. they log in to the wallet that the partner created, and spend the money in it', async () => {
  const headers = await sso.customer('ada');
  const { body } = await call('GET', '/v2/sso/wallet', { headers });
  expect(body).toMatchObject({ Nuban: wallet.Wallet.Nuban, Balance: 7_500.25, Currency: 'NGN', Status: 'Enabled' });
  const history = await call('GET', '/v2/sso/transaction', { headers });
  expect(history.body).toMatchObject({ count: 1, items: [{ Reference: 'salary', ClosingBalance: 7_500.25 }] });
  const wallets = await call('GET', '/v2/partner/wallet', { headers: partner.headers });
  expect(wallets.body).toMatchObject({ count: 1, items: [{ Reference: wallet.Reference }] });
});

it('6. from then on the BVN starts no new session, and ends the one under way', async () => {
  const again = await sso.start(ada);
  expect(again).toMatchObject({ status: 409, body: { errorCode: 'BVN_ALREADY_REGISTERED' } });
  const twice = await sso.complete(session, { paytag: 'ada', password: 'another password 77' });
  expect(twice).toMatchObject({ status: 409, body: { errorCode: 'SESSION_COMPLETED' } });
  expect((await sso.logIn('ada', 'another password 77')).status).toBe(401);
  expect((await sso.logIn('ada')).status).toBe(200);
});

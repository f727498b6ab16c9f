import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, PASSWORD, remotePartner, ssoOf } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { serverEnv } from '../../support/process.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';
import { useMessages } from './messages.ts';

const database = useDatabase();
const messages = useMessages();
const phone = '+2348031234567';
const NEW_PASSWORD = 'a rainy Tuesday in Jos';

let server: ServedHere;
let call: Client;
let acme: ReturnType<typeof ssoOf>;
let bolt: ReturnType<typeof ssoOf>;
/** Her sessions as they were before, at each partner. */
let old: Record<string, string>[];
let unusedCode: string;
let reset: string;

const walletWith = (headers: Record<string, string>) => call('GET', '/v2/sso/wallet', { headers });

beforeAll(async () => {
  server = await serveHere({ ...serverEnv(database.url), ...messages.env });
  call = clientOf(server.url);
  acme = ssoOf(call, await remotePartner(call, { name: 'Acme' }));
  bolt = ssoOf(call, await remotePartner(call, { name: 'Bolt' }));
  const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: '22233344455', phone };
  const { session } = (await acme.start(ada)).body;
  await acme.sendOtp(session);
  await acme.giveOtp(session, await messages.codeAt(phone));
  await acme.complete(session, { paytag: 'ada', password: PASSWORD });
});
afterAll(() => server?.stop());

it('1. she is logged in at two partners, and has a code at one that no one has exchanged', async () => {
  old = [await acme.customer('ada'), await bolt.customer('ada')];
  for (const headers of old) expect((await walletWith(headers)).status).toBe(200);
  unusedCode = await bolt.code('ada');
});

it('2. she cannot remember, until she is asked to wait even where she is right', async () => {
  for (let guess = 1; guess <= 5; guess++) expect((await acme.logIn('ada', `guess number ${guess}`)).status).toBe(401);
  const slowed = await acme.logIn('ada', PASSWORD);
  expect(slowed).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
});

it('3. a reset names neither her phone nor her, and its code goes to the phone on record', async () => {
  const started = await acme.forget('@ada');
  expect(started.status).toBe(200);
  expect(started.text).not.toMatch(/ada|obi|803|\*/i);
  reset = started.body.session;
  await acme.sendOtp(reset);
  expect(messages.texts.at(-1)?.to).toBe(phone);
});

it('4. neither a wrong code, nor another partner, nor a weak password gets through it', async () => {
  const code = await messages.codeAt(phone);
  const wrong = code === '000000' ? '000001' : '000000';
  expect(await acme.giveOtp(reset, wrong)).toMatchObject({ status: 400, body: { errorCode: 'OTP_INVALID' } });
  expect((await bolt.giveOtp(reset, code)).status).toBe(404);
  expect((await acme.completeReset(reset, NEW_PASSWORD)).body).toMatchObject({ errorCode: 'SESSION_NOT_VALIDATED' });
  expect((await acme.giveOtp(reset, code)).body).toMatchObject({ validated: true });
  expect((await acme.completeReset(reset, 'password')).body).toMatchObject({ errorCode: 'WEAK_PASSWORD' });
  expect((await bolt.completeReset(reset, NEW_PASSWORD)).status).toBe(404);
  for (const headers of old) expect((await walletWith(headers)).status).toBe(200);
});

it('5. with the old password end her sessions and codes at both partners', async () => {
  expect((await acme.completeReset(reset, NEW_PASSWORD)).body).toMatchObject({ status: 'COMPLETED' });
  for (const headers of old) {
    expect(await walletWith(headers)).toMatchObject({ status: 401, body: { errorCode: 'INVALID_CUSTOMER_TOKEN' } });
  }
  expect((await bolt.exchange(unusedCode)).status).toBe(401);
  expect((await bolt.logIn('ada', PASSWORD)).status).toBe(401);
  const twice = await acme.completeReset(reset, 'yet another word 5');
  expect(twice).toMatchObject({ status: 409, body: { errorCode: 'SESSION_COMPLETED' } });
});

it('6. the new password lets her in at both, without the wait her guesses had earned', async () => {
  for (const sso of [acme, bolt]) {
    const headers = await sso.customer('ada', NEW_PASSWORD);
    expect((await walletWith(headers)).status).toBe(200);
  }
});

it('7. no password, session, authorization code or number of hers is in what the server wrote', () => {
  const words = [PASSWORD, NEW_PASSWORD, phone.slice(1), reset, unusedCode];
  expect(words.filter((word) => word === '' || server.stdout.includes(word))).toEqual([]);
});

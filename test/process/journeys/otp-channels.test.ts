import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, PASSWORD, remotePartner, ssoOf } from '../../support/client.ts';
import { paytagBody } from '../../support/customers.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { serverEnv } from '../../support/process.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';
import { useMessages } from './messages.ts';

const database = useDatabase();
const messages = useMessages();
const NEW_PASSWORD = 'a rainy Tuesday in Jos';
let server: ServedHere;
let call: Client;
let headers: Record<string, string>;
let sso: ReturnType<typeof ssoOf>;

beforeAll(async () => {
  server = await serveHere({ ...serverEnv(database.url), ...messages.env });
  call = clientOf(server.url);
  ({ headers } = await remotePartner(call, { name: 'Acme' }));
  sso = ssoOf(call, { headers });
});
afterAll(() => server?.stop());

const newcomer = () => {
  const { tag, phone, ...person } = paytagBody();
  return { ...person, phone: `+234${phone.slice(1)}`, paytag: tag };
};
/** `given`, or other digits should it be the same by chance. */
const otherThan = (code: string, given = '000000') => (code === given ? given.replaceAll(/\d/g, '7') : given);

describe.each(['sms', 'whatsapp', 'email'])('by %s', (channel) => {
  const person = newcomer();
  const address = channel === 'email' ? person.email : person.phone;

  it('a customer is made: the code comes to her and to nobody else, and the answer shows neither', async () => {
    const { session } = (await sso.start(person)).body;
    const path = `/v2/sso/create-tag/${session}/otp?channel=${channel}`; // the contract's own name of the send
    const sent = await call<{ recipients: string[] }>('GET', path, { headers });
    const code = await messages.codeAt(address);
    expect(sent).toMatchObject({ status: 200, body: { provider: channel, validated: false } });
    expect(sent.body.recipients).toEqual([expect.stringContaining('*')]);
    expect(sent.text).not.toContain(address);
    expect(sent.text).not.toContain(code);

    expect((await sso.giveOtp(session, otherThan(code))).body).toMatchObject({ errorCode: 'OTP_INVALID' });
    expect((await sso.giveOtp(session, code)).body).toMatchObject({ validated: true, provider: channel });
    expect((await sso.complete(session, { paytag: person.paytag, password: PASSWORD })).status).toBe(200);
    expect((await sso.logIn(person.paytag)).status).toBe(200);
  });

  it('she sets a new password when she forgot the old one', async () => {
    const { session } = (await sso.forget(person.paytag)).body;
    const before = await messages.codeAt(address);
    const count = messages.texts.length + messages.mailedTo.length;
    expect((await sso.sendOtp(session, channel)).body).toMatchObject({ provider: channel });
    await eventually(() => expect(messages.texts.length + messages.mailedTo.length).toBe(count + 1));
    const code = await messages.codeAt(address);
    expect((await sso.giveOtp(session, otherThan(code, before))).status).toBe(400);
    expect((await sso.giveOtp(session, code)).body).toMatchObject({ validated: true });
    expect((await sso.completeReset(session, NEW_PASSWORD)).status).toBe(200);
    expect((await sso.logIn(person.paytag, NEW_PASSWORD)).status).toBe(200);
  });

  it('she is told of it by phone and by mail, once', async () => {
    const told = () => messages.noticesTo.filter((to) => to === person.phone || to === person.email);
    await eventually(() => expect(told()).toEqual([person.phone, person.email]));
  });
});

it('the messages went by the channel that was asked for, and mail by no phone', () => {
  expect(messages.texts.map(({ channel }) => channel)).toEqual(['sms', 'sms', 'whatsapp', 'whatsapp']);
  expect(messages.mailedTo).toHaveLength(2);
});

it('a code by one channel voids the one before it by another', async () => {
  const person = newcomer();
  const { session } = (await sso.start(person)).body;
  await sso.sendOtp(session, 'sms');
  const first = await messages.codeAt(person.phone);
  await sso.sendOtp(session, 'email');
  const second = await messages.codeAt(person.email);
  expect((await sso.giveOtp(session, otherThan(second, first))).body).toMatchObject({ errorCode: 'OTP_INVALID' });
  expect((await sso.giveOtp(session, second)).body).toMatchObject({ validated: true });
});

it('a code is good in its own session alone, and again by the same channel only a minute later', async () => {
  const [one, other] = [newcomer(), newcomer()];
  const mine = (await sso.start(one)).body.session;
  const theirs = (await sso.start(other)).body.session;
  await sso.sendOtp(mine);
  await sso.sendOtp(theirs);
  const [code, foreign] = [await messages.codeAt(one.phone), await messages.codeAt(other.phone)];
  expect((await sso.giveOtp(mine, otherThan(code, foreign))).status).toBe(400);
  const again = await sso.sendOtp(mine);
  expect(again).toMatchObject({ status: 429, body: { errorCode: 'OTP_COOLDOWN' } });
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
  expect((await sso.giveOtp(mine, code)).status).toBe(200);
});

it('an unknown channel, and one for which there is no address, send nothing', async () => {
  const { email: _email, ...person } = newcomer();
  const { session } = (await sso.start(person)).body;
  const count = messages.texts.length + messages.mailedTo.length;
  expect((await sso.sendOtp(session, 'pigeon')).status).toBe(400);
  expect((await sso.sendOtp(session, 'email')).body).toMatchObject({ errorCode: 'OTP_CHANNEL_UNAVAILABLE' });
  expect(messages.texts.length + messages.mailedTo.length).toBe(count);
});

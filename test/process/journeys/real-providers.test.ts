import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { complete, newPerson, PASSWORD, type Person, showsCode } from '../../support/onboarding.ts';
import { dojah, PROVIDER_TIMEOUT_MS, termii, useStandIn } from '../../support/provider.ts';
import type { Answer } from '../../support/receiver.ts';

const register = useStandIn();
const phones = useStandIn();
const mail = useMailServer();
const secrets = { appId: 'app-not-to-be-seen', secretKey: 'prod_sk_not_to_be_seen', apiKey: 'TL_not_to_be_seen' };

/** Read when the server starts, after the stand-ins. */
const server = useApp({
  BVN_PROVIDER: 'dojah',
  BVN_DOJAH_APP_ID: secrets.appId,
  BVN_DOJAH_SECRET_KEY: secrets.secretKey,
  BVN_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
  MESSAGING_PROVIDER: 'termii',
  MESSAGING_TERMII_API_KEY: secrets.apiKey,
  MESSAGING_TERMII_SENDER_ID: 'PayTag',
  MESSAGING_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
  EMAIL_PROVIDER: 'smtp',
  EMAIL_FROM: 'PayTag <no-reply@paytag.example>',
  EMAIL_SMTP_CA: mail.ca,
  get BVN_DOJAH_URL() {
    return register.origin;
  },
  get MESSAGING_TERMII_URL() {
    return phones.origin;
  },
  get EMAIL_SMTP_URL() {
    return mail.url;
  },
});

/** What the register holds of somebody made by `newPerson`. */
const entryOf = ({ bvn, phone, email }: Pick<Person, 'bvn' | 'phone' | 'email'>) =>
  dojah.registered({ bvn, phone_number1: '', phone_number2: phone.replace('+234', '0'), email: email.toUpperCase() });

const confirmEveryBvn = () =>
  register.receiver.answer(({ path }) => {
    const bvn = new URL(path, 'http://x').searchParams.get('bvn') ?? '';
    const number = bvn.slice(-4);
    return entryOf({ bvn, phone: `+234803123${number}`, email: `ada${number}@example.com` });
  });
const code = (text: string) => /\d{6}/.exec(text)?.[0] ?? '';
/** The text of the last message that was sent to a phone. */
const lastText = () => String(JSON.parse(String(phones.receiver.requests.at(-1)?.body)).sms);

async function start() {
  const partner = await server.newPartner();
  const { headers } = partner;
  const person = newPerson();
  const started = await server.call('POST', '/v2/sso/create-tag', { headers, payload: person });
  expect(started.statusCode).toBe(200);
  const { session } = started.json();
  return {
    partner,
    person,
    session,
    send: (channel: string) => server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers }),
    validate: (otp: string) => server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } }),
    read: () => server.call('GET', `/v2/sso?session=${session}`, { headers }),
  };
}

beforeEach(() => {
  confirmEveryBvn();
  phones.receiver.reset();
  phones.receiver.answer(() => termii.sent);
  mail.refuse();
});

describe('a PayTag is created with a code', () => {
  it.each(['sms', 'whatsapp'])('that came by %s', async (channel) => {
    const { partner, person, session, send, validate } = await start();
    expect((await send(channel)).statusCode).toBe(200);
    expect((await validate(code(lastText()))).json()).toMatchObject({ validated: true, provider: channel });
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(200);
  });

  it('that came by e-mail, while the phones know nothing of it', async () => {
    const { partner, person, session, send, validate } = await start();
    expect((await send('email')).statusCode).toBe(200);
    const { mail: message } = await mail.waitFor(person.email);
    expect(message.subject).toBe('Your PayTag code');
    expect((await validate(code(message.text ?? ''))).json()).toMatchObject({ validated: true, provider: 'email' });
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(200);
    expect(phones.receiver.requests).toHaveLength(0);
  });
});

describe('a provider that is down', () => {
  const failing: [string, Answer][] = [
    ['says nothing', 'hang'],
    ['refuses our key', 401],
    ['fails', 500],
  ];

  it.each(failing)(
    'as the register that %s: 502 with Retry-After, and the same request works later',
    async (_, how) => {
      const person = { ...newPerson(), bvn: '22200000000' };
      register.receiver.answer([how, entryOf(person)]);
      const { headers } = await server.newPartner();
      const down = await server.call('POST', '/v2/sso/create-tag', { headers, payload: person });
      expect(down.statusCode).toBe(502);
      expect(down.headers['retry-after']).toBe('5');
      expect(down.json()).toMatchObject({ errorCode: 'BVN_PROVIDER_UNAVAILABLE' });
      expect((await server.call('POST', '/v2/sso/create-tag', { headers, payload: person })).statusCode).toBe(200);
    },
  );

  it.each(failing)('as the messenger that %s: 502, and the session and its other channels live on', async (_, how) => {
    const { person, send, validate, read } = await start();
    phones.receiver.answer(() => how);
    const down = await send('sms');
    expect(down.statusCode).toBe(502);
    expect(down.json()).toMatchObject({ errorCode: 'MESSAGING_PROVIDER_UNAVAILABLE' });
    expect((await read()).json()).toMatchObject({ status: 'STARTED' });
    expect((await send('email')).statusCode).toBe(200);
    const { mail: message } = await mail.waitFor(person.email);
    expect((await validate(code(message.text ?? ''))).statusCode).toBe(200);
  });

  it.each([
    [451, 502, 'MESSAGING_PROVIDER_UNAVAILABLE'],
    [550, 400, 'OTP_CHANNEL_UNAVAILABLE'],
  ])(
    'as the mail server that answers %i: %i, and a text message still comes',
    async (refusal, statusCode, errorCode) => {
      const { send, validate } = await start();
      mail.refuse('RCPT', refusal);
      const answer = await send('email');
      expect(answer.statusCode).toBe(statusCode);
      expect(answer.json()).toMatchObject({ errorCode });
      await send('sms');
      expect((await validate(code(lastText()))).statusCode).toBe(200);
    },
  );
});

it('what went wrong is in the log for the operator, and no key, number, address or code is', async () => {
  const { person, send } = await start();
  await send('sms');
  await send('email');
  phones.receiver.answer([401]);
  mail.refuse('RCPT', 550);
  const other = await start();
  await other.send('sms');
  await other.send('email');
  expect(server.logged).toContain('Termii: it refuses our credentials (status 401)');
  expect(server.logged).toContain('the mail server refused the message for good: EENVELOPE 550 RCPT TO');
  const people = [person, other.person].flatMap(({ bvn, phone, email }) => [bvn, phone.slice(1), email]);
  expect(code(lastText())).not.toBe('');
  expect(showsCode(server.logged, code(lastText()))).toBe(false);
  const planted = [...Object.values(secrets), PASSWORD, dojah.photo, ...people];
  expect(planted.filter((secret) => secret === '' || server.logged.includes(secret))).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newPerson, OTP, startSession, unreachableMessenger } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();
const withoutPhones = useApp(unreachableMessenger, server);
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;

describe('GET /sso/{session}/otp', () => {
  const send = ({ headers }: TestPartner, session: string, query = '') =>
    server.call('GET', `/v2/sso/${session}/otp${query}`, { headers });

  it('names the channel and the masked address of the code', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await startSession(server, partner, person);
    const phone = `+234********${person.phone.slice(-2)}`;
    for (const [query, provider, recipient] of [
      ['', 'sms', phone],
      ['?channel=whatsapp', 'whatsapp', phone],
      ['?provider=email', 'email', 'a***@example.com'],
    ] as const) {
      const answer = await send(partner, session, query);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual({
        provider,
        reference: expect.any(String),
        recipients: [recipient],
        validated: false,
      });
    }
  });

  describe('200 by whatever name the channel comes', () => {
    it.each([
      ['?type=email', 'email'],
      ['?via=WhatsApp', 'whatsapp'],
      ['?channel=EMAIL', 'email'],
      ['?channel=%20email%20', 'email'],
      ['?method=email&lang=en', 'email'],
      ['?channel=&type=email', 'email'],
      ['?channel=email&type=Email', 'email'],
      ['?channel=', 'sms'],
      ['?provider=&type=%20', 'sms'],
    ])('%s means %s', async (query, provider) => {
      const partner = await server.newPartner();
      const session = await startSession(server, partner, newPerson());
      const answer = await send(partner, session, query);
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { provider }]);
    });
  });

  it('404: refuses HEAD, which would send a code unseen', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const { headers } = partner;
    expect((await server.call('HEAD', `/v2/sso/${session}/otp`, { headers })).statusCode).toBe(405);
    expect((await send(partner, session)).statusCode).toBe(200);
  });

  it('410: sends nothing in an expired session', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    server.clock.advance(30 * 60_000);
    expect(refusalOf(await send(partner, session))).toEqual([410, 'SESSION_EXPIRED']);
  });

  it('429: makes each channel wait a minute of its own, and says how long', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    await send(partner, session);
    server.clock.advance(20_000);
    const answer = await send(partner, session);
    expect(refusalOf(answer)).toEqual([429, 'OTP_COOLDOWN']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(40);
    expect((await send(partner, session, '?channel=email')).statusCode).toBe(200);
    server.clock.advance(40_000);
    expect((await send(partner, session)).statusCode).toBe(200);
  });

  it('429: sends five codes in a session and not a sixth, even when many are requested at once', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    for (let sends = 0; sends < 4; sends += 1) {
      expect((await send(partner, session)).statusCode).toBe(200);
      server.clock.advance(60_000);
    }
    const last = ['sms', 'whatsapp', 'email'].flatMap((channel) => [channel, channel]);
    const answers = await Promise.all(last.map((channel) => send(partner, session, `?channel=${channel}`)));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 429, 429, 429, 429, 429,
    ]);
    server.clock.advance(60_000);
    const answer = await send(partner, session);
    expect(codeOf(answer)).toBe('OTP_SENDS_EXCEEDED');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('502: the messenger is not reached: nothing was sent, and the same request works once it is', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const answer = await withoutPhones.call('GET', `/v2/sso/${session}/otp`, { headers: partner.headers });
    expect(refusalOf(answer)).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await send(partner, session)).statusCode).toBe(200);
  });
});

describe('GET /sso/create-tag/{onboarding}/otp', () => {
  const send = ({ headers }: TestPartner, session: string, query = '') =>
    server.call('GET', `/v2/sso/create-tag/${session}/otp${query}`, { headers });

  it('sends as the operation on the session does, and shares its limits', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const answer = await send(partner, session, '?channel=email');
    expect(answer.json()).toMatchObject({ provider: 'email', recipients: ['a***@example.com'], validated: false });
    const again = await server.call('GET', `/v2/sso/${session}/otp?channel=email`, { headers: partner.headers });
    expect(again.statusCode).toBe(429);
  });

  it('410: sends nothing in an expired session', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    server.clock.advance(30 * 60_000);
    expect((await send(partner, session)).json()).toMatchObject({ errorCode: 'SESSION_EXPIRED' });
  });

  it('429: makes a channel wait a minute', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    await send(partner, session);
    const answer = await send(partner, session);
    expect(answer.json()).toMatchObject({ errorCode: 'OTP_COOLDOWN' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('502: the messenger is not reached: the session lives on', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const answer = await withoutPhones.call('GET', `/v2/sso/create-tag/${session}/otp`, { headers: partner.headers });
    expect(answer.json()).toMatchObject({ errorCode: 'MESSAGING_PROVIDER_UNAVAILABLE' });
    expect((await send(partner, session)).statusCode).toBe(200);
  });
});

describe('POST /sso/{session}/otp', () => {
  const send = ({ headers }: TestPartner, session: string, channel = 'sms') =>
    server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers });
  const validate = ({ headers }: TestPartner, session: string, otp: unknown = OTP) =>
    server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } });
  const sentSession = async (partner: TestPartner) => {
    const session = await startSession(server, partner, newPerson());
    await send(partner, session);
    return session;
  };

  it('answers what was sent, now validated', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const sent = await send(partner, session, 'email');
    const answer = await validate(partner, session);
    expect(answer.json()).toEqual({ ...sent.json<object>(), validated: true });
  });

  it('takes the code after four wrong ones', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    for (let wrong = 0; wrong < 4; wrong += 1) await validate(partner, session, '000000');
    expect((await validate(partner, session)).statusCode).toBe(200);
  });

  it('400: refuses a code after five minutes, and takes the next one', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    server.clock.advance(5 * 60_000);
    expect(refusalOf(await validate(partner, session))).toEqual([400, 'OTP_EXPIRED']);
    await send(partner, session);
    expect((await validate(partner, session)).statusCode).toBe(200);
  });

  it('410: accepts no code in an expired session', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    server.clock.advance(30 * 60_000);
    expect((await validate(partner, session)).statusCode).toBe(410);
  });

  it('429: checks five wrong codes, however many come at once, and then not even the right one', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    const guesses = Array.from({ length: 20 }, (_, index) => validate(partner, session, String(200_000 + index)));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer.statusCode === 400)).toHaveLength(5);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(15);
    const right = await validate(partner, session);
    expect(refusalOf(right)).toEqual([429, 'OTP_ATTEMPTS_EXCEEDED']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(partner, session, 'email')).statusCode).toBe(429);
  });
});

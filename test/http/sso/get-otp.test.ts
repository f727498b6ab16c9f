import { describe, expect, it } from 'vitest';
import type { TestPartner } from '../../support/app.ts';
import { useApp } from '../../support/app.ts';
import { newPerson, startSession, unreachableMessenger } from '../../support/onboarding.ts';

const server = useApp();
const withoutPhones = useApp(unreachableMessenger, server);
const send = ({ headers }: TestPartner, session: string, query = '') =>
  server.call('GET', `/v2/sso/${session}/otp${query}`, { headers });
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;

describe('200', () => {
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

describe('404', () => {
  it('refuses HEAD, which would send a code unseen', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const { headers } = partner;
    expect((await server.call('HEAD', `/v2/sso/${session}/otp`, { headers })).statusCode).toBe(405);
    expect((await send(partner, session)).statusCode).toBe(200);
  });
});

describe('410', () => {
  it('sends nothing in an expired session', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    server.clock.advance(30 * 60_000);
    const answer = await send(partner, session);
    expect(answer.statusCode).toBe(410);
    expect(codeOf(answer)).toBe('SESSION_EXPIRED');
  });
});

describe('429', () => {
  it('makes each channel wait a minute of its own, and says how long', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    await send(partner, session);
    server.clock.advance(20_000);
    const answer = await send(partner, session);
    expect(answer.statusCode).toBe(429);
    expect(codeOf(answer)).toBe('OTP_COOLDOWN');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(40);
    expect((await send(partner, session, '?channel=email')).statusCode).toBe(200);
    server.clock.advance(40_000);
    expect((await send(partner, session)).statusCode).toBe(200);
  });

  it('sends five codes in a session and not a sixth, even when many are requested at once', async () => {
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
});

describe('502', () => {
  it('the messenger is not reached: nothing was sent, and the same request works once it is', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const answer = await withoutPhones.call('GET', `/v2/sso/${session}/otp`, { headers: partner.headers });
    expect([answer.statusCode, codeOf(answer)]).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await send(partner, session)).statusCode).toBe(200);
  });
});

import { describe, expect, it } from 'vitest';
import type { TestPartner } from '../../support/app.ts';
import { useApp } from '../../support/app.ts';
import { newPerson, OTP, startSession } from '../../support/onboarding.ts';

const server = useApp();
const send = ({ headers }: TestPartner, session: string, channel = 'sms') =>
  server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers });
const validate = ({ headers }: TestPartner, session: string, otp: unknown = OTP) =>
  server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } });
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;
const sentSession = async (partner: TestPartner) => {
  const session = await startSession(server, partner, newPerson());
  await send(partner, session);
  return session;
};

describe('200', () => {
  it('answers what was sent, now validated', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const sent = await send(partner, session, 'email');
    const answer = await validate(partner, session);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ...sent.json<object>(), validated: true });
  });

  it('takes the code after four wrong ones', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    for (let wrong = 0; wrong < 4; wrong += 1) await validate(partner, session, '000000');
    expect((await validate(partner, session)).statusCode).toBe(200);
  });
});

describe('400', () => {
  it('refuses a code after five minutes, and takes the next one', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    server.clock.advance(5 * 60_000);
    const answer = await validate(partner, session);
    expect(answer.statusCode).toBe(400);
    expect(codeOf(answer)).toBe('OTP_EXPIRED');
    await send(partner, session);
    expect((await validate(partner, session)).statusCode).toBe(200);
  });
});

describe('410', () => {
  it('accepts no code in an expired session', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    server.clock.advance(30 * 60_000);
    expect((await validate(partner, session)).statusCode).toBe(410);
  });
});

describe('429', () => {
  it('checks five wrong codes, however many come at once, and then not even the right one', async () => {
    const partner = await server.newPartner();
    const session = await sentSession(partner);
    const guesses = Array.from({ length: 20 }, (_, index) => validate(partner, session, String(200_000 + index)));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer.statusCode === 400)).toHaveLength(5);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(15);
    const right = await validate(partner, session);
    expect(right.statusCode).toBe(429);
    expect(codeOf(right)).toBe('OTP_ATTEMPTS_EXCEEDED');
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(partner, session, 'email')).statusCode).toBe(429);
  });
});

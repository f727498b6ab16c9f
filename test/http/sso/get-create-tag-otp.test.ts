import { describe, expect, it } from 'vitest';
import type { TestPartner } from '../../support/app.ts';
import { useApp } from '../../support/app.ts';
import { newPerson, startSession, unreachableMessenger } from '../../support/onboarding.ts';

const server = useApp();
const withoutPhones = useApp(unreachableMessenger, server);
const send = ({ headers }: TestPartner, session: string, query = '') =>
  server.call('GET', `/v2/sso/create-tag/${session}/otp${query}`, { headers });

describe('200', () => {
  it('sends as the operation on the session does, and shares its limits', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const answer = await send(partner, session, '?channel=email');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ provider: 'email', recipients: ['a***@example.com'], validated: false });
    const again = await server.call('GET', `/v2/sso/${session}/otp?channel=email`, { headers: partner.headers });
    expect(again.statusCode).toBe(429);
  });
});

describe('410', () => {
  it('sends nothing in an expired session', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    server.clock.advance(30 * 60_000);
    expect((await send(partner, session)).json()).toMatchObject({ errorCode: 'SESSION_EXPIRED' });
  });
});

describe('429', () => {
  it('makes a channel wait a minute', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    await send(partner, session);
    const answer = await send(partner, session);
    expect(answer.json()).toMatchObject({ errorCode: 'OTP_COOLDOWN' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('502', () => {
  it('the messenger is not reached: the session lives on', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    const answer = await withoutPhones.call('GET', `/v2/sso/create-tag/${session}/otp`, { headers: partner.headers });
    expect(answer.json()).toMatchObject({ errorCode: 'MESSAGING_PROVIDER_UNAVAILABLE' });
    expect((await send(partner, session)).statusCode).toBe(200);
  });
});

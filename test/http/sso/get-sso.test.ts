import { describe, expect, it } from 'vitest';
import type { TestPartner } from '../../support/app.ts';
import { useApp } from '../../support/app.ts';
import { complete, newPerson, startSession, validatedSession } from '../../support/onboarding.ts';

const server = useApp();
const read = ({ headers }: TestPartner, session: string) =>
  server.call('GET', `/v2/sso?session=${session}`, { headers });

describe('200', () => {
  it('shows what the session holds, the BVN by its last four digits and the addresses masked', async () => {
    const partner = await server.newPartner();
    const { bvn, phone, ...person } = newPerson();
    const session = await startSession(server, partner, { ...person, bvn, phone, otherName: 'Ngozi' });
    const answer = await read(partner, session);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      session,
      onboarding: session,
      status: 'STARTED',
      channels: ['sms', 'whatsapp', 'email'],
      recipients: [`+234********${phone.slice(-2)}`, 'a***@example.com'],
      validated: false,
      expiresAt: expect.any(String),
      bvn: `*******${bvn.slice(-4)}`,
      firstName: 'Ada',
      lastName: 'Obi',
      otherName: 'Ngozi',
      dateOfBirth: '1990-05-17',
      paytag: person.paytag,
    });
  });

  it('follows the session to its end', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    expect((await read(partner, session)).json()).toMatchObject({ status: 'VALIDATED', validated: true });
    await complete(server, partner, session, { paytag: 'chosen.at.last' });
    expect((await read(partner, session)).json()).toMatchObject({ status: 'COMPLETED', paytag: 'chosen.at.last' });
  });
});

describe('410', () => {
  it('shows nothing of an expired session', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    server.clock.advance(30 * 60_000);
    expect((await read(partner, session)).statusCode).toBe(410);
  });
});

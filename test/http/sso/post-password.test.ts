import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { createPayTag, newCustomer, newPerson, startReset } from '../../support/onboarding.ts';

const server = useApp();

describe('200', () => {
  it('answers a session, the same for every customer at every partner', async () => {
    const [home, elsewhere] = [await server.newPartner(), await server.newPartner()];
    const people = [await newCustomer(server, home), await newCustomer(server, elsewhere)];
    const answers = [];
    for (const { paytag } of people) answers.push(await startReset(server, home, `@${paytag.toUpperCase()}`));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual({
        session: expect.stringMatching(/^[\w-]{43}$/),
        status: 'STARTED',
        validated: false,
        expiresAt: expect.any(String),
      });
    }
  });

  it('begins a session whose code goes to the address on record', async () => {
    const partner = await server.newPartner();
    const { paytag, phone } = await newCustomer(server, partner);
    const { session } = (await startReset(server, partner, paytag)).json();
    const sent = await server.call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers: partner.headers });
    expect(sent.json()).toMatchObject({
      provider: 'sms',
      recipients: [`${phone.slice(0, 4)}${'*'.repeat(phone.length - 6)}${phone.slice(-2)}`],
      validated: false,
    });
  });
});

describe('401', () => {
  it('says that a customer whom a partner made has no password to reset', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const answer = await startReset(server, partner, person.paytag);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ errorCode: 'PASSWORD_NOT_SET' });
  });
});

describe('429', () => {
  it('lets a partner begin ten for one PayTag in an hour, and another partner begin its own', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    for (let n = 0; n < 10; n++) expect((await startReset(server, partner, paytag)).statusCode).toBe(200);
    const refused = await startReset(server, partner, paytag);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await startReset(server, await server.newPartner(), paytag)).statusCode).toBe(200);
    server.clock.advance(3_600_000);
    expect((await startReset(server, partner, paytag)).statusCode).toBe(200);
  });

  it('lets a partner ask for a hundred PayTags in an hour that nobody has', async () => {
    const partner = await server.newPartner();
    for (let n = 0; n < 100; n++) expect((await startReset(server, partner, `nobody.${n}`)).statusCode).toBe(404);
    expect((await startReset(server, partner, 'nobody.100')).statusCode).toBe(429);
  });
});

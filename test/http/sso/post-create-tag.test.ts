import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { complete, createPayTag, logIn, newPerson, validatedSession } from '../../support/onboarding.ts';

const server = useApp();
const start = async (payload: object, partner = server.newPartner()) =>
  server.call('POST', '/v2/sso/create-tag', { headers: (await partner).headers, payload });

describe('200', () => {
  it('opens a session of thirty minutes, and shows addresses masked', async () => {
    const { phone, ...person } = newPerson();
    const answer = await start({ ...person, phone: phone.replace('+234', '0') });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { session, expiresAt, ...rest } = answer.json<Record<string, string>>();
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({
      onboarding: session,
      status: 'STARTED',
      channels: ['sms', 'whatsapp', 'email'],
      recipients: [`+234********${phone.slice(-2)}`, 'a***@example.com'],
      validated: false,
    });
    const leftMs = Date.parse(expiresAt ?? '') - server.clock.now().getTime();
    expect(leftMs).toBeGreaterThan(29 * 60_000);
    expect(leftMs).toBeLessThanOrEqual(30 * 60_000);
  });

  it.each(['17-05-1990', '17/05/1990', '17-May-1990', '1990-05-17T08:00:00Z'])(
    'reads the date of birth %s, and text with blanks around it',
    async (dateOfBirth) => {
      const partner = await server.newPartner();
      const { bvn, ...person } = newPerson();
      const given = { ...person, bvn: ` ${bvn}\n`, firstName: '  Ada ', dateOfBirth: ` ${dateOfBirth} ` };
      const { session } = (await start(given, Promise.resolve(partner))).json<{ session: string }>();
      const answer = await server.call('GET', `/v2/sso?session=%20${session}%20`, { headers: partner.headers });
      const read = { bvn: `*******${bvn.slice(-4)}`, firstName: 'Ada', dateOfBirth: '1990-05-17' };
      expect(answer.json()).toMatchObject(read);
    },
  );

  it('takes null and empty optional members for absent ones', async () => {
    const answer = await start({ ...newPerson(), otherName: '', email: null, paytag: '' });
    expect(answer.json()).toMatchObject({ channels: ['sms', 'whatsapp'] });
  });

  it('shows a customer whom a partner made the addresses on record, never those given now', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const thief = { ...person, phone: '+2348039999999', email: 'thief@example.org' };
    const answer = await start(thief);
    expect(answer.json()).toMatchObject({ recipients: [`+234********${person.phone.slice(-2)}`, 'a***@example.com'] });
    expect(answer.body).not.toContain('example.org');
  });

  it('lets a customer keep a PayTag from before it was reserved, which nobody else gets', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    await server.owner.query('update tags.tag set handle = $2 where handle = $1', [person.paytag, 'zenithbank']);
    const session = await validatedSession(server, partner, { ...person, paytag: 'zenithbank' });
    expect((await complete(server, partner, session, { paytag: 'zenithbank' })).json()).toMatchObject({
      Tag: 'zenithbank',
    });
    expect((await logIn(server, partner, 'zenithbank')).statusCode).toBe(200);
    const another = await start({ ...newPerson(), paytag: 'wemabank' });
    expect(another.json()).toMatchObject({ errorCode: 'PAYTAG_RESERVED' });
  });
});

describe('502', () => {
  it('says that the register did not answer, to be tried again', async () => {
    const answer = await start({ ...newPerson(), bvn: '22222222203' });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({ errorCode: 'BVN_PROVIDER_UNAVAILABLE' });
    expect(answer.headers['retry-after']).toBe('5');
  });
});

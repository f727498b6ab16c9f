import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import {
  complete,
  createPayTag,
  logIn,
  newCustomer,
  newPerson,
  startSession,
  validatedSession,
} from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { vouchRows } from '../../support/sealed.ts';

const server = useApp();

describe('GET /sso/verify-tag', () => {
  const verify = async (query: string) => {
    const { headers } = await server.newPartner();
    return server.call('GET', `/v2/sso/verify-tag${query}`, { headers });
  };

  it('says that a free PayTag is available, in its normal form', async () => {
    const answer = await verify('?paytag=@Chinedu.99');
    expect(answer.json()).toEqual({ paytag: 'chinedu.99', available: true });
  });

  it('says that a taken one, a reserved one and its look-alike are not available', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    for (const text of [paytag, paytag.toUpperCase(), 'support', 'supp0rt']) {
      expect((await verify(`?paytag=${text}`)).json()).toMatchObject({ available: false });
    }
  });
});

describe('POST /sso/create-tag', () => {
  const start = async (payload: object, partner = server.newPartner()) =>
    server.call('POST', '/v2/sso/create-tag', { headers: (await partner).headers, payload });

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
    const rename = `update tags.tag set handle = $2, routing_mac = '\\x00' where handle = $1`;
    await server.owner.query(rename, [person.paytag, 'zenithbank']);
    await vouchRows(server.owner, server.resources.keyring);
    const session = await validatedSession(server, partner, { ...person, paytag: 'zenithbank' });
    expect((await complete(server, partner, session, { paytag: 'zenithbank' })).json()).toMatchObject({
      Tag: 'zenithbank',
    });
    expect((await logIn(server, partner, 'zenithbank')).statusCode).toBe(200);
    const another = await start({ ...newPerson(), paytag: 'wemabank' });
    expect(another.json()).toMatchObject({ errorCode: 'PAYTAG_RESERVED' });
  });

  it('502: says that the register did not answer, to be tried again', async () => {
    const answer = await start({ ...newPerson(), bvn: '22222222203' });
    expect(refusalOf(answer)).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('5');
  });
});

describe('GET /sso', () => {
  const read = ({ headers }: TestPartner, session: string) =>
    server.call('GET', `/v2/sso?session=${session}`, { headers });

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

  it('410: shows nothing of an expired session', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    server.clock.advance(30 * 60_000);
    expect((await read(partner, session)).statusCode).toBe(410);
  });
});

describe('POST /sso/create-tag/{session}/complete', () => {
  it('makes the PayTag, with which its owner can log in', async () => {
    const partner = await server.newPartner();
    const { paytag, phone, email: _, ...person } = newPerson();
    const session = await validatedSession(server, partner, { ...person, phone });
    const imageUrl = 'https://img.example/ada.png';
    const answer = await complete(server, partner, session, {
      paytag: `@${paytag}`,
      email: 'new@example.com',
      imageUrl,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      Tag: paytag,
      Name: 'Ada Obi',
      Email: 'new@example.com',
      Phone: phone,
      ImageUrl: imageUrl,
    });
    expect((await logIn(server, partner, paytag)).statusCode).toBe(200);
  });

  it('gives a customer whom a partner created a password, and they keep their wallet', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const made = (await createPayTag(server, partner, person)).json<{ Reference: string }>();
    const session = await validatedSession(server, partner, person);
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(200);
    expect((await logIn(server, partner, person.paytag)).statusCode).toBe(200);
    const linked = await server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: partner.headers });
    expect(linked.json()).toMatchObject({ Reference: made.Reference });
  });

  it('keeps the address on record of an existing customer, where their codes go', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const session = await validatedSession(server, partner, person);
    const answer = await complete(server, partner, session, { paytag: person.paytag, email: 'other@example.org' });
    expect(answer.json()).toMatchObject({ Email: person.email });
  });

  it('answers the same again under the same Idempotency-Key', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    const headers = { ...partner.headers, 'idempotency-key': 'complete-1' };
    const first = await complete(server, { ...partner, headers }, session, { paytag: person.paytag });
    const second = await complete(server, { ...partner, headers }, session, { paytag: person.paytag });
    expect(second.statusCode).toBe(200);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toBe(first.body);
  });

  it('409: refuses a taken PayTag, and the session can take another', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    expect(refusalOf(await complete(server, partner, session, { paytag }))).toEqual([409, 'PAYTAG_TAKEN']);
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(200);
  });

  it('410: completes no expired session', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    server.clock.advance(30 * 60_000);
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(410);
  });
});

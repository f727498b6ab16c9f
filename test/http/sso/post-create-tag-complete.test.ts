import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { complete, createPayTag, logIn, newCustomer, newPerson, validatedSession } from '../../support/onboarding.ts';

const server = useApp();
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;

describe('200', () => {
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
});

describe('409', () => {
  it('refuses a taken PayTag, and the session can take another', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    const answer = await complete(server, partner, session, { paytag });
    expect(answer.statusCode).toBe(409);
    expect(codeOf(answer)).toBe('PAYTAG_TAKEN');
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(200);
  });
});

describe('410', () => {
  it('completes no expired session', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    server.clock.advance(30 * 60_000);
    expect((await complete(server, partner, session, { paytag: person.paytag })).statusCode).toBe(410);
  });
});

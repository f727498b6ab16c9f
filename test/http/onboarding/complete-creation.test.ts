import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { complete, createPayTag, logIn, newPerson, PASSWORD, validatedSession } from '../../support/onboarding.ts';

const server = useSharedApp();
const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;

describe('the completion of a creation', () => {
  it('completes a session exactly once when ten requests come at once', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    const attempts = Array.from({ length: 10 }, () => complete(server, partner, session, { paytag: person.paytag }));
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    const others = answers.filter((answer) => answer.statusCode !== 200);
    expect(new Set(others.map(codeOf))).toEqual(new Set(['SESSION_COMPLETED']));
  });

  it('gives one PayTag to one of two sessions that ask for it at once', async () => {
    const partner = await server.newPartner();
    const [one, two] = await Promise.all(
      [newPerson(), newPerson()].map((person) => validatedSession(server, partner, person)),
    );
    const answers = await Promise.all(
      [one, two].map((session = '') => complete(server, partner, session, { paytag: 'wanted.by.two' })),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('sets one password for one BVN, of two sessions completed at once', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const sessions = [await validatedSession(server, partner, person), await validatedSession(server, partner, person)];
    const passwords = [PASSWORD, 'Zuma-Rock-1979'];
    const answers = await Promise.all(
      sessions.map((session, index) =>
        complete(server, partner, session, { paytag: person.paytag, password: passwords[index] ?? '' }),
      ),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const winner = answers.findIndex((answer) => answer.statusCode === 200);
    expect((await logIn(server, partner, person.paytag, passwords[winner])).statusCode).toBe(200);
    expect((await logIn(server, partner, person.paytag, passwords[1 - winner])).statusCode).toBe(401);
  });

  it('makes no second customer when a partner created the first while the session was open', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, { ...person, phone: '+2348039999999' });
    await createPayTag(server, partner, person);
    const answer = await complete(server, partner, session, { paytag: 'somebody.else' });
    expect(answer.statusCode).toBe(409);
    expect(codeOf(answer)).toBe('BVN_ALREADY_REGISTERED');
    const verified = await server.call('GET', '/v2/sso/verify-tag?paytag=somebody.else', { headers: partner.headers });
    expect(verified.json()).toMatchObject({ available: true });
  });
});

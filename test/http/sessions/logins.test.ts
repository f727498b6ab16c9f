import { describe, expect, it } from 'vitest';
import { type Answer, type TestApp, type TestPartner, useApp, useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { documentUrls, operationsOf, readDocument } from '../../support/described.ts';
import {
  complete,
  completeReset,
  createPayTag,
  customerToken,
  logIn,
  newCustomer,
  newPerson,
  PASSWORD,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

describe('the limit of logins', () => {
  const WRONG = 'Kilimanjaro-78';
  const FIRST_DELAY_MS = 30_000;

  const server = useApp();

  const statusOf = ({ statusCode }: Answer) => statusCode;
  const retryAfter = ({ headers }: Answer) => Number(headers['retry-after']);

  /** Guesses until the PayTag is closed at the partner. Answers how many were looked at. */
  async function guessUntilClosed(at: TestApp, partner: TestPartner, paytag: string): Promise<number> {
    for (let looked = 0; looked < 100; looked++) {
      if ((await logIn(at, partner, paytag, WRONG)).statusCode === 429) return looked;
    }
    throw new Error('it never closed');
  }

  describe('counted for two processes', () => {
    const [one, other] = [server, useApp({}, server)];

    it('of fifty guesses at once at two processes five are looked at', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      const guesses = Array.from({ length: 50 }, (_, n) => logIn(n % 2 === 0 ? one : other, partner, paytag, WRONG));
      const statuses = (await Promise.all(guesses)).map(statusOf);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(45);
    });

    it('the right password is refused as well while it is closed, and lets in and forgets the guesses after', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      expect(await guessUntilClosed(one, partner, paytag)).toBe(5);
      const refused = await logIn(other, partner, paytag);
      expect(refused.statusCode).toBe(429);
      expect(refused.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS' });
      expect(retryAfter(refused)).toBeGreaterThan(0);
      expect(retryAfter(refused)).toBeLessThanOrEqual(FIRST_DELAY_MS / 1000);
      server.clock.advance(FIRST_DELAY_MS);
      expect((await logIn(other, partner, paytag)).statusCode).toBe(200);
      expect(await guessUntilClosed(one, partner, paytag)).toBe(5);
    });
  });

  describe('one PayTag at one partner', () => {
    it('closes for longer after each wrong guess, fifteen minutes at most, and forgets within a day', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      await guessUntilClosed(server, partner, paytag);
      const waits: number[] = [];
      for (let n = 0; n < 7; n++) {
        const refused = await logIn(server, partner, paytag, WRONG);
        waits.push(retryAfter(refused));
        server.clock.advance(retryAfter(refused) * 1000);
        expect((await logIn(server, partner, paytag, WRONG)).statusCode).toBe(401);
      }
      const expected = [30, 60, 120, 240, 480, 900, 900];
      expect(waits.every((wait, n) => wait <= expected[n]! && wait > expected[n]! / 2)).toBe(true);
      server.clock.advance(25 * 3_600_000);
      expect(await guessUntilClosed(server, partner, paytag)).toBe(5);
    });

    it('counts a PayTag that nobody has as it counts any other', async () => {
      const partner = await server.newPartner();
      for (let n = 0; n < 5; n++) expect((await logIn(server, partner, 'no.such.one')).statusCode).toBe(404);
      for (const written of ['no.such.one', '@NO.such.one']) {
        expect((await logIn(server, partner, written)).statusCode).toBe(429);
      }
    });

    it('lets thirty right logins in at once', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      const logins = await Promise.all(Array.from({ length: 30 }, () => logIn(server, partner, paytag)));
      expect(new Set(logins.map(statusOf))).toEqual(new Set([200]));
    });
  });

  describe('a partner that guesses', () => {
    it('locks nobody out of another partner where she has logged in before', async () => {
      const home = await server.newPartner();
      const { paytag } = await newCustomer(server, home);
      await customerToken(server, home, paytag);
      for (let n = 0; n < 5; n++) await guessUntilClosed(server, await server.newPartner(), paytag);
      expect((await logIn(server, home, paytag)).statusCode).toBe(200);
    });

    it('locks nobody out of the partner where she proved herself by a code, though she never logged in there', async () => {
      const [home, other] = [await server.newPartner(), await server.newPartner()];
      const { paytag } = await newCustomer(server, home);
      await completeReset(server, other, await validatedReset(server, other, paytag), PASSWORD);
      let looked = 0;
      for (let n = 0; n < 5; n++) looked += await guessUntilClosed(server, await server.newPartner(), paytag);
      expect(looked).toBe(20);
      for (const partner of [home, other]) expect((await logIn(server, partner, paytag)).statusCode).toBe(200);
    });

    it('slows, with all others, the partners where she never logged in, until the right password comes there', async () => {
      const home = await server.newPartner();
      const { paytag } = await newCustomer(server, home);
      let looked = 0;
      for (let n = 0; n < 6; n++) looked += await guessUntilClosed(server, await server.newPartner(), paytag);
      expect(looked).toBe(20);
      const newcomer = await server.newPartner();
      expect((await logIn(server, newcomer, paytag)).statusCode).toBe(429);
      server.clock.advance(900_000);
      expect((await logIn(server, newcomer, paytag)).statusCode).toBe(200);
      expect((await logIn(server, await server.newPartner(), paytag)).statusCode).toBe(200);
    });

    it('may ask for a hundred PayTags that nobody has, and then learns nothing of those that it has not met', async () => {
      const partner = await server.newPartner();
      const met = await newCustomer(server, partner);
      await customerToken(server, partner, met.paytag);
      const stranger = await newCustomer(server, await server.newPartner());
      for (let n = 0; n < 100; n++) {
        expect((await logIn(server, partner, `nobody.${n}`)).statusCode).toBe(404);
      }
      const [unknown, known] = [
        await logIn(server, partner, 'nobody.100'),
        await logIn(server, partner, stranger.paytag),
      ];
      expect([unknown.statusCode, known.statusCode]).toEqual([429, 429]);
      expect(unknown.json().message).toBe(known.json().message);
      expect((await logIn(server, partner, met.paytag)).statusCode).toBe(200);
    });
  });
});

describe('challenges', () => {
  const server = useApp();
  type Call = Parameters<typeof server.call>;

  const challengeOf = async (...call: Call) => {
    const answer = await server.call(...call);
    return [answer.statusCode, answer.headers['www-authenticate']];
  };
  const apiKey = [401, 'ApiKey realm="paytag"'];
  const noToken = [401, 'Bearer realm="paytag"'];
  const badToken = [401, 'Bearer realm="paytag", error="invalid_token"'];
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('every operation that needs credentials names the scheme when there are none', async () => {
    const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
    const secured = documents
      .flatMap(operationsOf)
      .filter(
        ({ operation: { security = [] } }) =>
          security.length > 0 && security.every((one) => Object.keys(one).length > 0),
      );
    expect(secured.length).toBeGreaterThan(90);
    for (const { method, path, operation } of secured) {
      const url = path.replaceAll(/\{\w+\}/g, 'something');
      const expected = path.startsWith('/v2') && !path.startsWith('/v2/sandbox/application') ? apiKey : noToken;
      expect([path, await challengeOf(method as Call[0], url)]).toEqual([path, expected]);
      expect(operation.responses['401']?.headers).toHaveProperty('WWW-Authenticate');
      expect(operation.responses['429']?.headers).toHaveProperty('Retry-After');
    }
  });

  describe('a customer’s operation', () => {
    it('distinguishes an invalid token, a missing one and a wrong partner key', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      const token = await customerToken(server, partner, paytag);
      const ask = (headers: Record<string, string>) => challengeOf('GET', '/v2/sso/wallet', { headers });
      expect(await ask(partner.headers)).toEqual(noToken);
      expect(await ask({ ...partner.headers, authorization: 'Basic YTpi' })).toEqual(noToken);
      expect(await ask({ ...partner.headers, ...bearer('x.y.z') })).toEqual(badToken);
      expect(await ask({ ...partner.headers, ...bearer(`${token}x`) })).toEqual(badToken);
      expect(await ask({ ...partner.headers, 'x-api-key': 'sk_sandbox_wrong', ...bearer(token) })).toEqual(apiKey);
      expect(await ask({ ...partner.headers, ...bearer(token) })).toEqual([200, undefined]);
      server.clock.advance(1800 * 1000);
      expect(await ask({ ...partner.headers, ...bearer(token) })).toEqual(badToken);
    });

    it('that logs them in answers a wrong password and a bad code as it answers a wrong key', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      const { headers } = partner;
      const payload = { paytag, password: 'not her password' };
      expect(await challengeOf('POST', '/v2/sso/auth-code', { headers, payload })).toEqual(apiKey);
      expect(await challengeOf('GET', '/v2/sso/token?auth-code=nothing', { headers })).toEqual(apiKey);
    });
  });

  describe('an application’s operation', () => {
    it('distinguishes an invalid token, a missing one, and a wrong secret with a valid token', async () => {
      const { headers } = await newApplication(server);
      const url = '/api/v1/applications/secret/rotate';
      const payload = { client_secret: 'not its secret' };
      expect(await challengeOf('POST', url, { payload })).toEqual(noToken);
      expect(await challengeOf('POST', url, { payload, headers: bearer('x.y.z') })).toEqual(badToken);
      expect(await challengeOf('POST', url, { payload, headers })).toEqual(noToken);
    });

    it('that is public asks for no token', async () => {
      expect(await challengeOf('GET', '/api/v1/tags/nobody-here')).toEqual([404, undefined]);
    });
  });

  it('the token endpoint asks for HTTP Basic when that was tried and refused, and not otherwise', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const ask = (payload: object, headers = {}) => challengeOf('POST', '/api/v1/auth/token', { payload, headers });
    expect(await ask({}, { authorization: 'Basic YTpi' })).toEqual([401, 'Basic realm="paytag"']);
    expect(await ask({ client_id, client_secret: 'wrong' })).toEqual([401, undefined]);
    expect(await ask({ client_id, client_secret: 'wrong' }, bearer('x.y.z'))).toEqual([401, undefined]);
    expect(await ask({ client_id })).toEqual([400, undefined]);
    expect(await ask({ client_id, client_secret })).toEqual([200, undefined]);
  });

  it('the operator’s operations ask for the operator’s token', async () => {
    const url = '/operator/v1/ledger/check';
    expect(await challengeOf('GET', url)).toEqual(noToken);
    expect(await challengeOf('GET', url, { headers: bearer('wrong') })).toEqual(badToken);
    expect(await challengeOf('GET', url, { headers: bearer(OPERATOR_TOKEN) })).toEqual([200, undefined]);
  });
});

describe('e-mail addresses', () => {
  const server = useSharedApp();

  it.each([
    ['ada@xn--bcher-kva.example', 200],
    ["o'brien+pay@example.co.uk", 200],
    ['ada@bücher.example', 400],
    ['ọlá@example.com', 400],
    ['ada..obi@example.com', 400],
    ['ada@[127.0.0.1]', 400],
  ])('each operation that makes a customer takes the same addresses: %s is %i', async (email, expected) => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const person = newPerson();
    const session = await validatedSession(server, partner, newPerson());
    const answers = [
      await createPayTag(server, partner, { ...newPerson(), email }),
      await server.call('POST', '/v2/sso/create-tag', { headers, payload: { ...newPerson(), email } }),
      await complete(server, partner, session, { paytag: person.paytag, email }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([expected, expected, expected]);
  });
});

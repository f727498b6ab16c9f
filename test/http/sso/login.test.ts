import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import {
  authCode,
  complete,
  createPayTag,
  customerToken,
  exchange,
  logIn,
  newCustomer,
  newPerson,
  PASSWORD,
  validatedSession,
} from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('POST /sso/auth-code', () => {
  it('answers the registered redirect URL in plain text, its own query kept, with the code added', async () => {
    const partner = await server.newPartner({ redirectUrl: 'https://partner.example/cb?next=%2Fhome%20page&flag' });
    const { paytag } = await newCustomer(server, partner);
    const answer = await logIn(server, partner, paytag);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toMatch(/^https:\/\/partner\.example\/cb\?next=%2Fhome%20page&flag&auth-code=[\w-]{43}$/);
  });

  it('begins the query where the redirect URL has none', async () => {
    const partner = await server.newPartner({ redirectUrl: 'https://partner.example/cb' });
    const { paytag } = await newCustomer(server, partner);
    expect((await logIn(server, partner, paytag)).body).toMatch(
      /^https:\/\/partner\.example\/cb\?auth-code=[\w-]{43}$/,
    );
  });

  it('takes a PayTag with its @ and in capitals, and no scope for profile', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const { headers } = partner;
    const payload = { paytag: `@${paytag.toUpperCase()}`, password: PASSWORD };
    expect((await server.call('POST', '/v2/sso/auth-code', { headers, payload })).statusCode).toBe(200);
  });

  it('gives another code to the same request under the same Idempotency-Key', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const headers = { ...partner.headers, 'idempotency-key': 'login-1' };
    const first = await logIn(server, { ...partner, headers }, paytag);
    const second = await logIn(server, { ...partner, headers }, paytag);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(second.body).not.toBe(first.body);
  });

  describe('state', () => {
    it.each(['af0ifjsldkj', 'a b&c=d#e%', ' a ', 'ọ̀kan ₦ 🦜', 'x'.repeat(512)])(
      'comes back as it was given: %s',
      async (state) => {
        const partner = await server.newPartner();
        const { paytag } = await newCustomer(server, partner);
        const login = { headers: partner.headers, payload: { paytag, password: PASSWORD } };
        const query = `?state=${encodeURIComponent(state)}`;
        const byQuery = await server.call('POST', `/v2/sso/auth-code${query}`, login);
        const payload = { ...login.payload, state };
        const byBody = await server.call('POST', '/v2/sso/auth-code', { ...login, payload });
        for (const answer of [byQuery, byBody]) {
          expect(answer.body).toMatch(
            /^https:\/\/partner\.example\/callback\?from=paytag&auth-code=[\w-]{43}&state=[^&#]+$/,
          );
          expect(new URL(answer.body).searchParams.get('state')).toBe(state);
        }
      },
    );
  });

  describe('200 with what is optional left empty', () => {
    it.each([
      ['?scope=&state=&code_challenge=&code_challenge_method=', {}],
      ['?scope=%20%20', { state: null, code_challenge: null, code_challenge_method: null }],
      ['', { state: '', code_challenge: '  ', code_challenge_method: '' }],
    ])('%s and %j ask for nothing', async (query, more) => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      const payload = { paytag: ` ${paytag} `, password: PASSWORD, ...more };
      const answer = await server.call('POST', `/v2/sso/auth-code${query}`, { headers: partner.headers, payload });
      expect(answer.statusCode).toBe(200);
      const { searchParams } = new URL(answer.body);
      expect([...searchParams.keys()]).toEqual(['from', 'auth-code']);
      const code = searchParams.get('auth-code');
      const url = `/v2/sso/token?auth-code=${code}&code_verifier=`;
      expect((await server.call('GET', url, { headers: partner.headers })).statusCode).toBe(200);
    });
  });

  describe('a password', () => {
    it('is what was written, the blanks around it included', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      const session = await validatedSession(server, partner, person);
      const password = ` ${PASSWORD} `;
      expect((await complete(server, partner, session, { paytag: person.paytag, password })).statusCode).toBe(200);
      expect((await logIn(server, partner, person.paytag)).statusCode).toBe(401);
      expect((await logIn(server, partner, person.paytag, password)).statusCode).toBe(200);
    });

    it('of blanks alone is none', async () => {
      const answer = await logIn(server, await server.newPartner(), 'ada', '    ');
      expect([answer.statusCode, answer.json().message]).toEqual([400, 'password: must not be empty']);
    });
  });

  it('401: refuses a wrong password, as JSON', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const answer = await logIn(server, partner, paytag, 'Kilimanjaro-78');
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toMatchObject({ success: false, errorCode: 'INVALID_CUSTOMER_CREDENTIALS' });
  });

  it('401: says that a customer whom a partner made has no password yet', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    expect(refusalOf(await logIn(server, partner, person.paytag))).toEqual([401, 'PASSWORD_NOT_SET']);
  });

  it('401: refuses wrong partner credentials before anything else', async () => {
    const partner = await server.newPartner();
    const headers = { ...partner.headers, 'x-api-key': 'sk_sandbox_wrong' };
    const answer = await server.call('POST', '/v2/sso/auth-code', { headers, payload: {} });
    expect(refusalOf(answer)).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  it('429: refuses the sixth guess in the one shape, with the seconds to wait', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    for (let n = 0; n < 5; n++) expect((await logIn(server, partner, paytag, 'Kilimanjaro-78')).statusCode).toBe(401);
    const answer = await logIn(server, partner, paytag);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS' });
  });

  it('503: when more logins come than passwords can be checked, for an unknown PayTag as for a known one', async () => {
    const partner = await server.newPartner();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => logIn(server, partner, `nobody.has.${n}`)));
    const statuses = new Set(answers.map(({ statusCode }) => statusCode));
    expect(statuses).toEqual(new Set([404, 503]));
    const busy = answers.find(({ statusCode }) => statusCode === 503);
    expect(busy?.json().errorCode).toBe('BUSY');
    expect(busy?.headers['retry-after']).toBeDefined();
  });
});

describe('GET /sso/token', () => {
  const alone = useApp({ PUBLIC_URL: 'https://pay.example' });
  const walletOf = (headers: Record<string, string>, token: string) =>
    alone.call('GET', '/v2/sso/wallet', { headers: { ...headers, authorization: `Bearer ${token}` } });

  it('answers a JWT in plain text that verifies with the published keys and says what it must, and no client id', async () => {
    const partner = await alone.newPartner();
    const { paytag } = await newCustomer(alone, partner);
    const answer = await exchange(alone, partner, await authCode(alone, partner, paytag));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');

    const keys = (await alone.call('GET', '/.well-known/jwks.json')).json<JSONWebKeySet>();
    const { payload, protectedHeader } = await jwtVerify(answer.body, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      issuer: 'https://pay.example',
      audience: 'https://pay.example/v2',
      typ: 'at+jwt',
      currentDate: alone.clock.now(),
    });
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'azp', 'client_id', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect([payload['azp'], payload['client_id']]).toEqual([partner.id, partner.id]);
    expect(payload.sub).toMatch(/^[0-9a-f-]{36}$/);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1800);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(JSON.stringify(payload)).not.toContain(partner.clientId);
  });

  describe('401', () => {
    const refused = {
      success: false,
      errorCode: 'INVALID_AUTH_CODE',
      message: expect.stringContaining('log the customer in'),
    };

    it('gives the token to one of fifty parallel exchanges, and the token is valid', async () => {
      const partner = await alone.newPartner();
      const { paytag } = await newCustomer(alone, partner);
      const code = await authCode(alone, partner, paytag);
      const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(alone, partner, code)));
      const winners = answers.filter((answer) => answer.statusCode === 200);
      expect(winners).toHaveLength(1);
      expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(49);
      expect((await walletOf(partner.headers, winners[0]?.body ?? '')).statusCode).toBe(200);
    });

    it('refuses a code used twice, one that expired, another partner’s and none at all with one answer', async () => {
      const [partner, other] = [await alone.newPartner(), await alone.newPartner()];
      const { paytag } = await newCustomer(alone, partner);
      const used = await authCode(alone, partner, paytag);
      await exchange(alone, partner, used);
      const foreign = await authCode(alone, partner, paytag);
      const late = await authCode(alone, partner, paytag);
      const answers = [
        await exchange(alone, partner, used),
        await exchange(alone, other, foreign),
        await exchange(alone, partner, 'no-such-code'),
      ];
      expect((await exchange(alone, partner, foreign)).statusCode).toBe(200); // another’s attempt does not use it up
      alone.clock.advance(120_000);
      answers.push(await exchange(alone, partner, late));
      for (const answer of answers) {
        expect(answer.statusCode).toBe(401);
        expect(answer.json()).toMatchObject(refused);
      }
      expect(new Set(answers.map((answer) => answer.json<{ message: string }>().message)).size).toBe(1);
    });

    it('revokes the token a code gave when the code comes again later, and not when its twin was a moment late', async () => {
      const partner = await alone.newPartner();
      const { paytag } = await newCustomer(alone, partner);
      alone.clock.stop();
      const code = await authCode(alone, partner, paytag);
      const token = (await exchange(alone, partner, code)).body;
      await exchange(alone, partner, code);
      expect((await walletOf(partner.headers, token)).statusCode).toBe(200);
      alone.clock.advance(6000);
      expect((await exchange(alone, partner, code)).statusCode).toBe(401);
      expect((await walletOf(partner.headers, token)).statusCode).toBe(401);
    });

    it('does not let another partner’s replay end a customer’s session', async () => {
      const [partner, other] = [await alone.newPartner(), await alone.newPartner()];
      const { paytag } = await newCustomer(alone, partner);
      const code = await authCode(alone, partner, paytag);
      const token = (await exchange(alone, partner, code)).body;
      alone.clock.advance(6000);
      await exchange(alone, other, code);
      expect((await walletOf(partner.headers, token)).statusCode).toBe(200);
    });
  });

  describe('a code_challenge', () => {
    /** RFC 7636 appendix B. */
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

    async function challengedCode(query = `?code_challenge=${challenge}&code_challenge_method=S256`) {
      const partner = await alone.newPartner();
      const { paytag } = await newCustomer(alone, partner);
      const { headers } = partner;
      const payload = { paytag, password: PASSWORD };
      const { body } = await alone.call('POST', `/v2/sso/auth-code${query}`, { headers, payload });
      return { partner, code: new URL(body).searchParams.get('auth-code') ?? '' };
    }
    const redeem = async ({ partner, code }: Awaited<ReturnType<typeof challengedCode>>, given?: string) =>
      alone.call('GET', `/v2/sso/token?auth-code=${code}${given === undefined ? '' : `&code_verifier=${given}`}`, {
        headers: partner.headers,
      });

    it.each(['', `?code_challenge=${challenge}`, undefined])('asks for its verifier, once: %s', async (query) => {
      const login = await challengedCode(query);
      const right = query === '' ? undefined : verifier;
      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(login, right)));
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    });

    it.each([
      ['no verifier', undefined],
      ['another one', `${verifier.slice(0, -1)}Q`],
      ['the challenge itself', challenge],
    ])('refuses %s like any bad code, and the right verifier still works', async (_what, given) => {
      const login = await challengedCode();
      const refused = await redeem(login, given);
      const unknown = await redeem({ ...login, code: 'no-such-code' }, given);
      expect(refusalOf(refused)).toEqual([401, 'INVALID_AUTH_CODE']);
      expect(refused.json().message).toBe(unknown.json().message);
      expect((await redeem(login, verifier)).statusCode).toBe(200);
    });

    it('that was never given takes no verifier: a stolen code is not exchanged as if there were none', async () => {
      const login = await challengedCode('');
      expect((await redeem(login, verifier)).statusCode).toBe(401);
      expect((await redeem(login)).statusCode).toBe(200);
    });

    it.each(['short', 'x'.repeat(129), 'dBjftJeZ4CVP+mB92K27uhbUJU1p1r/wW1gFWFOEjXk'])(
      'asks for a verifier that could be one: %s is 400',
      async (given) => {
        const login = await challengedCode();
        expect((await redeem(login, encodeURIComponent(given))).statusCode).toBe(400);
      },
    );
  });

  it('405: answers no HEAD, which would use the code up unseen', async () => {
    const partner = await alone.newPartner();
    const { paytag } = await newCustomer(alone, partner);
    const code = await authCode(alone, partner, paytag);
    const head = await alone.call('HEAD', `/v2/sso/token?auth-code=${code}`, { headers: partner.headers });
    expect(head.statusCode).toBe(405);
    expect((await exchange(alone, partner, code)).statusCode).toBe(200);
  });

  describe('secrets', () => {
    it('are in no log: neither code, token, password nor client id', async () => {
      const partner = await alone.newPartner();
      const { paytag, bvn, phone } = await newCustomer(alone, partner);
      const code = await authCode(alone, partner, paytag);
      const token = (await exchange(alone, partner, code)).body;
      await walletOf(partner.headers, token);
      await customerToken(alone, partner, paytag);
      expect(alone.logged).toContain('/v2/sso/token');
      for (const secret of [code, token, 'Kilimanjaro-77', partner.clientId, partner.apiKey, bvn, phone]) {
        expect(alone.logged).not.toContain(secret);
      }
    });
  });
});

describe('GET /sso/wallet', () => {
  const walletOf = (headers: Record<string, string>, authorization?: string) =>
    server.call('GET', '/v2/sso/wallet', {
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    });

  it('answers every field of a Wallet, and Balance', async () => {
    const partner = await server.newPartner();
    const { paytag, phone, email } = await newCustomer(server, partner);
    const answer = await walletOf(partner.headers, `Bearer ${await customerToken(server, partner, paytag)}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      CreatedAt: expect.any(String),
      UpdatedAt: expect.any(String),
      TotalAmount: 0,
      SuspendedAmount: 0,
      BlockedAmount: 0,
      AvailableAmount: 0,
      Amount: 0,
      Balance: 0,
      Currency: 'NGN',
      Status: 'Enabled',
      Nuban: expect.stringMatching(/^\d{10}$/),
      Type: { Name: 'PayTag' },
      PayTag: { Tag: paytag, Name: 'Ada Obi', Email: email, Phone: phone },
      Name: 'Ada Obi',
    });
  });

  it('shows the metadata that the partner keeps with the wallet', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const metadata = { branch: 'Ikeja' };
    const { paytag: tag, ...rest } = person;
    await server.call('POST', '/v2/partner/paytag', { headers: partner.headers, payload: { ...rest, tag, metadata } });
    await complete(server, partner, await validatedSession(server, partner, person), { paytag: tag });
    const answer = await walletOf(partner.headers, `Bearer ${await customerToken(server, partner, tag)}`);
    expect(answer.json().Metadata).toEqual(metadata);
  });

  it('shows each partner a wallet of its own, opened at the first login there', async () => {
    const [first, second] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const { paytag, bvn } = await newCustomer(server, first);
    const linked = await server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: first.headers });
    const { Reference } = linked.json<{ Reference: string }>();
    const payload = { amount: 25.5, reference: 'credit-1' };
    await server.call('POST', `/v2/partner/wallet/${Reference}/credit`, { headers: first.headers, payload });

    const atFirst = await walletOf(first.headers, `Bearer ${await customerToken(server, first, paytag)}`);
    const atSecond = await walletOf(second.headers, `Bearer ${await customerToken(server, second, paytag)}`);
    expect(atFirst.json()).toMatchObject({ Balance: 25.5, TotalAmount: 25.5 });
    expect(atSecond.json()).toMatchObject({ Balance: 0 });
    expect(atSecond.json<{ ID: number }>().ID).not.toBe(atFirst.json<{ ID: number }>().ID);
  });

  const refused = { success: false, errorCode: 'INVALID_CUSTOMER_TOKEN' };

  it('401: refuses a missing token, a forged one and one without a signature', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const attempts = [undefined, 'Bearer', 'Bearer x.y.z', `Basic ${token}`, token, `Bearer ${unsigned}.${payload}.`];
    for (const attempt of [...attempts, `Bearer ${header}.${payload}.${flipped}`]) {
      const answer = await walletOf(partner.headers, attempt);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject(refused);
    }
  });

  it('401: refuses a token at another partner, even where the customer has a wallet too', async () => {
    const [first, second] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, first);
    const token = await customerToken(server, first, paytag);
    await customerToken(server, second, paytag);
    const answer = await walletOf(second.headers, `Bearer ${token}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject(refused);
  });

  it('401: refuses an expired token', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    server.clock.advance(1_801_000);
    expect((await walletOf(partner.headers, `Bearer ${token}`)).statusCode).toBe(401);
  });

  it('401: refuses an application token, though we signed it', async () => {
    const partner = await server.newPartner();
    const { client_id, client_secret } = await newApplication(server);
    const issued = await server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } });
    const { access_token } = issued.json<{ access_token: string }>();
    const answer = await walletOf(partner.headers, `Bearer ${access_token}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject(refused);
  });

  it('401: asks for the partner first, then for the customer', async () => {
    const partner = await server.newPartner();
    await createPayTag(server, partner, newPerson());
    expect(refusalOf(await walletOf({}, 'Bearer x'))).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});

import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { authCode, customerToken, exchange, newCustomer, PASSWORD } from '../../support/onboarding.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example' });
const walletOf = (headers: Record<string, string>, token: string) =>
  server.call('GET', '/v2/sso/wallet', { headers: { ...headers, authorization: `Bearer ${token}` } });

describe('200', () => {
  it('answers a JWT in plain text that verifies with the published keys and says what it must, and no client id', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const answer = await exchange(server, partner, await authCode(server, partner, paytag));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');

    const keys = (await server.call('GET', '/.well-known/jwks.json')).json<JSONWebKeySet>();
    const { payload, protectedHeader } = await jwtVerify(answer.body, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      issuer: 'https://pay.example',
      audience: 'https://pay.example/v2',
      typ: 'at+jwt',
      currentDate: server.clock.now(),
    });
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'azp', 'client_id', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect([payload['azp'], payload['client_id']]).toEqual([partner.id, partner.id]);
    expect(payload.sub).toMatch(/^[0-9a-f-]{36}$/);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1800);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(JSON.stringify(payload)).not.toContain(partner.clientId);
  });
});

describe('401', () => {
  const refused = {
    success: false,
    errorCode: 'INVALID_AUTH_CODE',
    message: expect.stringContaining('log the customer in'),
  };

  it('gives the token to one of fifty parallel exchanges, and the token is valid', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const code = await authCode(server, partner, paytag);
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(server, partner, code)));
    const winners = answers.filter((answer) => answer.statusCode === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(49);
    expect((await walletOf(partner.headers, winners[0]?.body ?? '')).statusCode).toBe(200);
  });

  it('refuses a code used twice, one that expired, another partner’s and none at all with one answer', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, partner);
    const used = await authCode(server, partner, paytag);
    await exchange(server, partner, used);
    const foreign = await authCode(server, partner, paytag);
    const late = await authCode(server, partner, paytag);
    const answers = [
      await exchange(server, partner, used),
      await exchange(server, other, foreign),
      await exchange(server, partner, 'no-such-code'),
    ];
    expect((await exchange(server, partner, foreign)).statusCode).toBe(200); // another’s attempt does not use it up
    server.clock.advance(120_000);
    answers.push(await exchange(server, partner, late));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject(refused);
    }
    expect(new Set(answers.map((answer) => answer.json<{ message: string }>().message)).size).toBe(1);
  });

  it('revokes the token a code gave when the code comes again later, and not when its twin was a moment late', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    server.clock.stop();
    const code = await authCode(server, partner, paytag);
    const token = (await exchange(server, partner, code)).body;
    await exchange(server, partner, code);
    expect((await walletOf(partner.headers, token)).statusCode).toBe(200);
    server.clock.advance(6000);
    expect((await exchange(server, partner, code)).statusCode).toBe(401);
    expect((await walletOf(partner.headers, token)).statusCode).toBe(401);
  });

  it('does not let another partner’s replay end a customer’s session', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, partner);
    const code = await authCode(server, partner, paytag);
    const token = (await exchange(server, partner, code)).body;
    server.clock.advance(6000);
    await exchange(server, other, code);
    expect((await walletOf(partner.headers, token)).statusCode).toBe(200);
  });
});

describe('a code_challenge', () => {
  /** RFC 7636 appendix B. */
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  async function challengedCode(query = `?code_challenge=${challenge}&code_challenge_method=S256`) {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const { headers } = partner;
    const payload = { paytag, password: PASSWORD };
    const { body } = await server.call('POST', `/v2/sso/auth-code${query}`, { headers, payload });
    return { partner, code: new URL(body).searchParams.get('auth-code') ?? '' };
  }
  const redeem = async ({ partner, code }: Awaited<ReturnType<typeof challengedCode>>, given?: string) =>
    server.call('GET', `/v2/sso/token?auth-code=${code}${given === undefined ? '' : `&code_verifier=${given}`}`, {
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
    expect(refused.statusCode).toBe(401);
    expect(refused.json().errorCode).toBe('INVALID_AUTH_CODE');
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

describe('405', () => {
  it('answers no HEAD, which would use the code up unseen', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const code = await authCode(server, partner, paytag);
    const head = await server.call('HEAD', `/v2/sso/token?auth-code=${code}`, { headers: partner.headers });
    expect(head.statusCode).toBe(405);
    expect((await exchange(server, partner, code)).statusCode).toBe(200);
  });
});

describe('secrets', () => {
  it('are in no log: neither code, token, password nor client id', async () => {
    const partner = await server.newPartner();
    const { paytag, bvn, phone } = await newCustomer(server, partner);
    const code = await authCode(server, partner, paytag);
    const token = (await exchange(server, partner, code)).body;
    await walletOf(partner.headers, token);
    await customerToken(server, partner, paytag);
    expect(server.logged).toContain('/v2/sso/token');
    for (const secret of [code, token, 'Kilimanjaro-77', partner.clientId, partner.apiKey, bvn, phone]) {
      expect(server.logged).not.toContain(secret);
    }
  });
});

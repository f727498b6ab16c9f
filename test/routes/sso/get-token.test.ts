import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { authCode, customerToken, exchange, newCustomer } from '../../support/onboarding.ts';

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
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'azp', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect(payload['azp']).toBe(partner.id);
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

  it('gives one of fifty parallel exchanges the token, and it lives', async () => {
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

describe('400', () => {
  it.each(['', '?auth-code=', '?auth-code=a&auth-code=b', '?code=a'])('asks for one auth-code: %j', async (query) => {
    const { headers } = await server.newPartner();
    const answer = await server.call('GET', `/v2/sso/token${query}`, { headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errorCode: 'INVALID_PARAMETER' });
  });
});

describe('404', () => {
  it('answers no HEAD, which would use the code up unseen', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const code = await authCode(server, partner, paytag);
    const head = await server.call('HEAD', `/v2/sso/token?auth-code=${code}`, { headers: partner.headers });
    expect(head.statusCode).toBe(404);
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

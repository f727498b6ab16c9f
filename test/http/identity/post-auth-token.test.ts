import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example', APPLICATION_TOKEN_TTL_S: '600' });
const url = '/api/v1/auth/token';
const ask = (payload?: object) => server.call('POST', url, payload === undefined ? {} : { payload });
const form = (payload: string, type = 'application/x-www-form-urlencoded') =>
  server.call('POST', url, { headers: { 'content-type': type }, payload });

describe('200', () => {
  it('answers a bearer token, which says what it is and verifies with the published keys', async () => {
    const { applicationId, client_id, client_secret } = await newApplication(server);
    const answer = await ask({ client_id, client_secret });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 600 });

    const keys = (await server.call('GET', '/.well-known/jwks.json')).json<JSONWebKeySet>();
    const token = answer.json<{ access_token: string }>().access_token;
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: 'https://pay.example',
      audience: 'https://pay.example/api',
      typ: 'at+jwt',
      currentDate: server.clock.now(),
    });
    expect(payload.sub).toBe(applicationId);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
  });

  it('takes a form, and the grant type by its name', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const fields = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    expect((await form(fields.toString())).statusCode).toBe(200);
    expect((await form(fields.toString(), 'application/x-www-form-urlencoded; charset=utf-8')).statusCode).toBe(200);
    expect((await form(`${fields.toString().replace('client_credentials', '')}&scope=`)).statusCode).toBe(200);
    for (const scope of [null, '', '  ']) expect((await ask({ client_id, client_secret, scope })).statusCode).toBe(200);
  });
});

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
const askBasic = (authorization: string, payload = 'grant_type=client_credentials') =>
  server.call('POST', url, {
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    payload,
  });

describe('HTTP Basic', () => {
  it('200: is taken in place of the members', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const answer = await askBasic(basic(client_id, client_secret));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('400: beside the members: one way, not both', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const answer = await askBasic(basic(client_id, client_secret), `client_id=${client_id}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_request', errorCode: 'INVALID_PARAMETER' });
  });

  it.each(['Basic', 'Basic !!', 'Basic YQ==', 'Basic Og==', 'Basic YTo=', 'Basic JTAwOiUwMA==', 'basic'])(
    '401: %s, and the scheme is named',
    async (authorization) => {
      const answer = await askBasic(authorization);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="paytag"');
      expect(answer.json()).toMatchObject({ error: 'invalid_client', data: null });
    },
  );

  it.each(['Bearer a.stale.token', 'Bearer', 'Digest username="a"', 'abc', 'Basically'])(
    '200: a header that is not of this scheme, %s, is ignored',
    async (authorization) => {
      const { client_id, client_secret } = await newApplication(server);
      const headers = { authorization };
      const asJson = await server.call('POST', url, { headers, payload: { client_id, client_secret } });
      const asForm = await askBasic(authorization, new URLSearchParams({ client_id, client_secret }).toString());
      for (const answer of [asJson, asForm]) {
        expect(answer.statusCode).toBe(200);
        expect(answer.headers).not.toHaveProperty('www-authenticate');
      }
      const refused = await server.call('POST', url, { headers, payload: {} });
      expect(refused.json()).toMatchObject({ error: 'invalid_request', message: 'client_id: is missing' });
    },
  );

  it('401: a wrong secret', async () => {
    const { client_id } = await newApplication(server);
    expect((await askBasic(basic(client_id, 'x'))).json()).toMatchObject({ error: 'invalid_client' });
  });
});

describe('400', () => {
  const invalid = { error: 'invalid_request', success: false, data: null };

  it('asks for both members, as JSON and as a form', async () => {
    for (const payload of [undefined, {}, { client_id: 'a' }, { client_id: 'a', client_secret: 7 }]) {
      const answer = await ask(payload);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toMatchObject({
        ...invalid,
        error_description: expect.any(String),
        errors: expect.any(Array),
      });
    }
    for (const payload of [
      '',
      'client_id=a',
      'client_id=a&client_id=b&client_secret=c',
      'client_id=%00&client_secret=b',
      'client_id=a&client_secret=b&client_secret=b',
      'client_id=a&client_secret=b&scope=x&scope=y',
      'client_id[]=a&client_secret=b',
      'grant_type=client_credentials&grant_type=client_credentials&client_id=a&client_secret=b',
    ]) {
      const answer = await form(payload);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject(invalid);
    }
  });

  it('refuses another grant type by its OAuth name', async () => {
    const answer = await ask({ client_id: 'a', client_secret: 'b', grant_type: 'password' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'unsupported_grant_type', errorCode: 'UNSUPPORTED_GRANT_TYPE' });
  });

  it.each(['profile', 'read write', ' openid '])('refuses the scope %j by its OAuth name', async (scope) => {
    const { client_id, client_secret } = await newApplication(server);
    for (const answer of [
      await ask({ client_id, client_secret, scope }),
      await form(new URLSearchParams({ client_id, client_secret, scope }).toString()),
      await askBasic(basic(client_id, client_secret), new URLSearchParams({ scope }).toString()),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'invalid_scope', errorCode: 'INVALID_SCOPE', data: null });
    }
  });

  it('refuses JSON that is none', async () => {
    const answer = await server.call('POST', url, {
      headers: { 'content-type': 'application/json' },
      payload: '{"client',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ ...invalid, errorCode: 'MALFORMED_JSON' });
  });
});

describe('401', () => {
  it('says the same of an unknown id and of a wrong secret', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const answers = [
      await ask({ client_id: 'app_unknown', client_secret }),
      await ask({ client_id, client_secret: `${client_secret}x` }),
    ];
    const [unknown, wrong] = answers.map((answer) => {
      expect(answer.statusCode).toBe(401);
      return { ...answer.json<object>(), timestamp: '', requestId: '' };
    });
    expect(unknown).toMatchObject({ error: 'invalid_client', errorCode: 'INVALID_CLIENT', data: null });
    expect(wrong).toEqual(unknown);
  });
});

describe('415', () => {
  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])('takes no %s', async (type) => {
    const answer = await form('client_id=a&client_secret=b', type);
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({ error: 'invalid_request', errorCode: 'UNSUPPORTED_MEDIA_TYPE', data: null });
  });
});

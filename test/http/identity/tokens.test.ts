import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example', APPLICATION_TOKEN_TTL_S: '600' });

describe('POST /auth/token', () => {
  const url = '/api/v1/auth/token';
  const ask = (payload?: object) => server.call('POST', url, payload === undefined ? {} : { payload });
  const form = (payload: string, type = 'application/x-www-form-urlencoded') =>
    server.call('POST', url, { headers: { 'content-type': type }, payload });

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

  const invalid = { error: 'invalid_request', success: false, data: null };

  it('400: asks for both members, as JSON and as a form', async () => {
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

  it('400: refuses another grant type by its OAuth name', async () => {
    const answer = await ask({ client_id: 'a', client_secret: 'b', grant_type: 'password' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'unsupported_grant_type', errorCode: 'UNSUPPORTED_GRANT_TYPE' });
  });

  it.each(['profile', 'read write', ' openid '])('400: refuses the scope %j by its OAuth name', async (scope) => {
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

  it('400: refuses JSON that is none', async () => {
    const answer = await server.call('POST', url, {
      headers: { 'content-type': 'application/json' },
      payload: '{"client',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ ...invalid, errorCode: 'MALFORMED_JSON' });
  });

  it('401: says the same of an unknown id and of a wrong secret', async () => {
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

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])('415: takes no %s', async (type) => {
    const answer = await form('client_id=a&client_secret=b', type);
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({ error: 'invalid_request', errorCode: 'UNSUPPORTED_MEDIA_TYPE', data: null });
  });
});

describe('the tokens of applications', () => {
  const alone = useSharedApp();
  const elsewhere = useApp({ PUBLIC_URL: 'https://elsewhere.example' }, alone);

  const get = (path: string, headers: Record<string, string> = {}) => alone.call('GET', `/api/v1${path}`, { headers });

  describe('tokens', () => {
    let application: TestApplication;
    let head: Record<string, unknown> = {};
    let claims: Record<string, unknown> = {};
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const read = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString());
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });

    const signed = (header: object, key = own.privateKey) => {
      const text = `${part({ ...head, ...header })}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    };
    const symmetric = (secret: string | Buffer) => {
      const text = `${part({ ...head, alg: 'HS256' })}.${part(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const published = async () => {
      const { keys } = (await alone.call('GET', '/.well-known/jwks.json')).json();
      return keys.find(({ kid }: { kid: string }) => kid === head['kid']);
    };
    const use = (token: string) => get('/wallet', { authorization: `Bearer ${token}` });

    beforeAll(async () => {
      application = await newApplication(alone);
      const [first, second] = application.headers.authorization.slice('Bearer '.length).split('.');
      [head, claims] = [read(first), read(second)];
    });

    it('of ours are taken', async () => {
      expect((await get('/wallet', application.headers)).statusCode).toBe(200);
    });

    it.each<[string, () => string | Promise<string>]>([
      ['of no algorithm', () => `${part({ ...head, alg: 'none' })}.${part(claims)}.`],
      [
        'of the public key as a shared secret',
        async () =>
          symmetric(createPublicKey({ key: await published(), format: 'jwk' }).export({ type: 'spki', format: 'pem' })),
      ],
      ['of the public key’s JWK as a shared secret', async () => symmetric(JSON.stringify(await published()))],
      ['signed by a stranger', () => signed({})],
      ['that brings its own key', () => signed({ jwk: own.publicKey.export({ format: 'jwk' }) })],
      ['that says where its key is', () => signed({ kid: 'theirs', jku: 'http://127.0.0.1:9/keys' })],
      ['whose kid is a path', () => signed({ kid: '../../../dev/null' })],
      ['whose kid is SQL', () => signed({ kid: "' or 1=1 --" })],
      ['whose kid is a list', () => signed({ kid: [head['kid']] })],
      ['whose kid is inherited', () => signed({ kid: '__proto__' })],
      ['without a kid', () => signed({ kid: undefined })],
      ['with a critical header', () => signed({ crit: ['mine'], mine: true })],
      ['with a signature of zeros', () => `${part(head)}.${part(claims)}.${Buffer.alloc(64).toString('base64url')}`],
      ['of five parts', () => 'a.b.c.d.e'],
      ['of dots', () => '..'],
    ])('%s are refused', async (_, forged) => {
      expect(refusalOf(await use(await forged()))).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
    });

    it('whose claims were swapped for another application’s are refused', async () => {
      const { applicationId } = await newApplication(alone);
      const [first, , third] = application.headers.authorization.split('.');
      const swapped = `${first}.${part({ ...claims, sub: applicationId })}.${third}`;
      expect((await get('/wallet', { authorization: swapped })).statusCode).toBe(401);
    });

    it('of the same keys under another public URL are refused', async () => {
      const { client_id, client_secret } = application;
      const payload = { client_id, client_secret };
      const { access_token } = (await elsewhere.call('POST', '/api/v1/auth/token', { payload })).json();
      const bearer = { headers: { authorization: `Bearer ${access_token}` } };
      expect((await elsewhere.call('GET', '/api/v1/wallet', bearer)).statusCode).toBe(200);
      expect((await use(access_token)).statusCode).toBe(401);
    });

    it('two in one header, and one in the query, are refused', async () => {
      const { authorization } = application.headers;
      expect((await get('/wallet', { authorization: `${authorization}, ${authorization}` })).statusCode).toBe(401);
      expect((await get(`/wallet?access_token=${authorization.slice('Bearer '.length)}`)).statusCode).toBe(401);
    });
  });
});

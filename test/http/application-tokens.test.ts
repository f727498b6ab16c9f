import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../support/app.ts';
import { newApplication, type TestApplication } from '../support/application.ts';

const server = useSharedApp();
const elsewhere = useApp({ PUBLIC_URL: 'https://elsewhere.example' }, server);

const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', `/api/v1${path}`, { headers });

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
    const { keys } = (await server.call('GET', '/.well-known/jwks.json')).json();
    return keys.find(({ kid }: { kid: string }) => kid === head['kid']);
  };
  const use = (token: string) => get('/wallet', { authorization: `Bearer ${token}` });

  beforeAll(async () => {
    application = await newApplication(server);
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
    const answer = await use(await forged());
    expect([answer.statusCode, answer.json().errorCode]).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
  });

  it('whose claims were swapped for another application’s are refused', async () => {
    const { applicationId } = await newApplication(server);
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

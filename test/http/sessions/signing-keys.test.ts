import { randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { type TestApp, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { customerToken, newCustomer } from '../../support/onboarding.ts';
import { sealedColumn } from '../../support/sealed.ts';

const server = useApp();
const REASON = { reason: 'once a quarter' };
const YEAR_S = 365 * 24 * 60 * 60;

let applicationId = '';
let genuine: Record<string, unknown> = {};

beforeAll(async () => {
  const application = await newApplication(server);
  applicationId = application.applicationId;
  const token = application.headers.authorization.slice('Bearer '.length);
  genuine = decodeJwt(token);
});

const PRIVATE_JWK = sealedColumn('signing_keys.signing_key.private_jwk_sealed');
const nowS = () => Math.floor(server.clock.now().getTime() / 1000);

interface Stolen {
  kid: string;
  key: Awaited<ReturnType<typeof importJWK>>;
}

/** The current key, as whoever had the server's memory at that moment has it. */
async function stealCurrentKey(): Promise<Stolen> {
  const { rows } = await server.owner.query(
    `select kid, private_jwk_sealed as sealed from signing_keys.signing_key where status = 'CURRENT'`,
  );
  const jwk = JSON.parse(server.resources.keyring.open(PRIVATE_JWK, [rows[0].kid], rows[0].sealed));
  return { kid: rows[0].kid, key: await importJWK(jwk, 'ES256') };
}

/** What the application may do with a token of the attacker's making. */
async function statusWith({ kid, key }: Stolen, times: { iat: number; exp: number }): Promise<number> {
  const token = await new SignJWT({ ...genuine, sub: applicationId, jti: randomUUID(), ...times })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .sign(key);
  const headers = { authorization: `Bearer ${token}` };
  return (await server.call('GET', '/api/v1/wallet', { headers })).statusCode;
}

it('V9.1.1: a key that was retired 400 days ago forges no application token, of ten years or of an hour', async () => {
  const stolen = await stealCurrentKey();
  const hour = (iat = nowS()) => ({ iat, exp: iat + 3600 });
  expect(await statusWith(stolen, hour())).toBe(200);
  await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true });
  const retiredS = nowS();
  server.clock.advance(60_000);
  expect(await statusWith(stolen, hour())).toBe(401);
  server.clock.advance(400 * 24 * 60 * 60 * 1000);
  expect(await statusWith(stolen, { iat: nowS(), exp: nowS() + 10 * YEAR_S })).toBe(401);
  expect(await statusWith(stolen, hour())).toBe(401);
  expect(await statusWith(stolen, { iat: retiredS - 60, exp: nowS() + 3600 })).toBe(401);
});

it('V9.2.1: a token that lives longer than we issue them is refused, though the key that signs now signed it', async () => {
  const stolen = await stealCurrentKey();
  const iat = nowS();
  expect(await statusWith(stolen, { iat, exp: iat + 3600 })).toBe(200);
  expect(await statusWith(stolen, { iat, exp: iat + 3601 })).toBe(401);
  expect(await statusWith(stolen, { iat: iat - 3600, exp: iat + 60 })).toBe(401);
});

it('V9.2.1: a token that was issued in the future is refused', async () => {
  const stolen = await stealCurrentKey();
  const iat = nowS() + 60;
  expect(await statusWith(stolen, { iat, exp: iat + 3600 })).toBe(401);
});

it('V9.1.1: a token that a retired key signed in its time is good until it expires, and then never', async () => {
  const stolen = await stealCurrentKey();
  const times = { iat: nowS(), exp: nowS() + 3600 };
  await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true });
  server.clock.advance(3_000_000);
  expect(await statusWith(stolen, times)).toBe(200);
  server.clock.advance(601_000);
  expect(await statusWith(stolen, times)).toBe(401);
});

it('V9.1.1: a revoked key verifies nothing, not even what it signed when it was good', async () => {
  const stolen = await stealCurrentKey();
  const times = { iat: nowS(), exp: nowS() + 3600 };
  expect(await statusWith(stolen, times)).toBe(200);
  await server.operate('POST', `/keys/${stolen.kid}/revoke`, { reason: 'a laptop was stolen' });
  expect(await statusWith(stolen, times)).toBe(401);
});

it('V9.1.3: a key that somebody writes into the database, without the root key, verifies nothing and is not published', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  await server.owner.query(
    `insert into signing_keys.signing_key (kid, public_jwk, private_jwk_sealed, status, retired_at)
     values ($1, $2, $3, 'RETIRED', now())`,
    [kid, { ...publicJwk, kid, alg: 'ES256', use: 'sig' }, Buffer.from(JSON.stringify(publicJwk))],
  );
  server.clock.advance(1000);
  const times = { iat: nowS() - 60, exp: nowS() + 3000 };
  expect(await statusWith({ kid, key: privateKey }, times)).toBe(401);
  expect((await server.call('GET', '/.well-known/jwks.json')).body).not.toContain(kid);
});

it('V11.1.1: the private half of a key that signs no more is destroyed', async () => {
  const { kid } = await stealCurrentKey();
  await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true });
  const { rows } = await server.owner.query(
    'select private_jwk_sealed as sealed from signing_keys.signing_key where kid = $1',
    [kid],
  );
  const kept = JSON.parse(server.resources.keyring.open(PRIVATE_JWK, [kid], rows[0].sealed));
  expect(Object.keys(kept).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
});

const other = useApp({}, server);
const rotate = () => server.operate('POST', '/keys/rotate', { reason: 'once a quarter', immediately: true });
const published = async (at: TestApp) => (await at.call('GET', '/.well-known/jwks.json')).json<JSONWebKeySet>();

it('a rotation ends no session: tokens from before are good after, in this process and in another', async () => {
  const partner = await server.newPartner();
  const { paytag } = await newCustomer(server, partner);
  const walletOf = (at: TestApp, token: string) =>
    at.call('GET', '/v2/sso/wallet', { headers: { ...partner.headers, authorization: `Bearer ${token}` } });
  const before = await customerToken(other, partner, paytag);
  const known = await published(other);

  const { current, next } = (await rotate()).json<{ current: string; next: string }>();
  const after = await customerToken(server, partner, paytag);
  expect(decodeProtectedHeader(after).kid).toBe(current);
  expect(decodeProtectedHeader(before).kid).not.toBe(current);
  for (const at of [server, other]) {
    for (const token of [before, after]) expect((await walletOf(at, token)).statusCode).toBe(200);
  }
  const currentDate = server.clock.now();
  await expect(jwtVerify(after, createLocalJWKSet(known), { currentDate })).resolves.toBeDefined();
  const kids = (await published(server)).keys.map(({ kid }) => kid);
  expect(kids).toEqual(expect.arrayContaining([current, next, decodeProtectedHeader(before).kid]));

  await rotate();
  const twice = await customerToken(server, partner, paytag);
  expect(decodeProtectedHeader(twice).kid).toBe(next);
  for (const token of [before, after]) expect((await walletOf(other, token)).statusCode).toBe(200);
});

it('concurrent rotations are all done, one after the other', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, rotate));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.json<{ current: string }>().current)).size).toBe(5);
});

import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { type TestApp, useApp } from '../../support/app.ts';
import { customerToken, newCustomer } from '../../support/onboarding.ts';

const server = useApp();
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

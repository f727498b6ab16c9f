import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('GET /keys', () => {
  const REASON = { reason: 'once a quarter' };
  type Key = { kid: string; status: string; verifies: boolean; verifiesUntil?: string; retiredAt?: string };
  const list = () => server.operate('GET', '/keys');
  const published = async () => {
    const { keys } = (await server.call('GET', '/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>();
    return keys.map(({ kid }) => kid).toSorted();
  };

  it('lists every key with its state; those that verify are those in JWKS', async () => {
    const first = (await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true })).json<{
      current: string;
      next: string;
    }>();
    const second = (await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true })).json<{
      current: string;
      next: string;
    }>();
    await server.operate('POST', `/keys/${first.current}/revoke`, REASON);
    server.clock.advance(1000);
    const { items } = (await list()).json<{ items: Key[] }>();
    const statusOf = new Map(items.map(({ kid, status }) => [kid, status]));
    expect(statusOf.get(first.current)).toBe('REVOKED');
    expect(statusOf.get(second.current)).toBe('CURRENT');
    expect(statusOf.get(second.next)).toBe('NEXT');
    const verifying = items.filter(({ verifies }) => verifies).map(({ kid }) => kid);
    expect(verifying.toSorted()).toEqual(await published());
    expect(verifying).not.toContain(first.current);
    expect(JSON.stringify(items)).not.toMatch(/"(d|x|y|privateJwk\w*)":/);
  });

  it('says until when a retired key verifies, and that it does no more', async () => {
    const { current } = (await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true })).json<{
      current: string;
    }>();
    await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true });
    const find = async () => (await list()).json<{ items: Key[] }>().items.find(({ kid }) => kid === current);
    const retired = await find();
    expect(retired).toMatchObject({ status: 'RETIRED', verifies: true });
    const until = Date.parse(retired?.verifiesUntil ?? '');
    expect(until).toBe(Date.parse(retired?.retiredAt ?? '') + (24 * 60 * 60 + 5) * 1000);
    server.clock.advance(until - server.clock.now().getTime());
    expect(await find()).toMatchObject({ verifies: false });
    expect(await published()).not.toContain(current);
  });
});

describe('POST /keys/rotate', () => {
  const rotate = (immediately?: boolean) =>
    server.operate('POST', '/keys/rotate', { reason: 'once a quarter', immediately });

  it('the key that was next signs, and a new next one is published', async () => {
    const first = (await rotate()).json<{ current: string; next: string }>();
    const second = await rotate(true);
    expect(second.json()).toEqual({ current: first.next, next: expect.any(String) });
    const { keys } = (await server.call('GET', '/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>();
    const kids = keys.map(({ kid }) => kid);
    expect(kids).toEqual(expect.arrayContaining([first.current, first.next, second.json().next]));
  });

  it('is written to the audit log, with the reason and no key', async () => {
    const { current, next } = (await rotate(true)).json<{ current: string; next: string }>();
    const entry = (await auditOf(server, 'signing-keys')).at(-1);
    expect(entry).toMatchObject({ actor: 'operator:root', action: 'keys.rotate', reason: 'once a quarter' });
    expect(entry?.after).toEqual({ current, next });
  });

  it('409: until verifiers that keep what they fetched know the next key, unless it is said', async () => {
    await rotate(true);
    const { headers } = await server.call('GET', '/.well-known/jwks.json');
    const cachedS = Number(/max-age=(\d+)/.exec(String(headers['cache-control']))?.[1]);
    expect(cachedS).toBe(300);
    for (const advancedS of [0, cachedS - 1]) {
      server.clock.advance(advancedS * 1000);
      const refused = await rotate();
      expect(refusalOf(refused)).toEqual([409, 'SIGNING_KEY_TOO_NEW']);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(cachedS);
    }
    server.clock.advance(1000);
    expect((await rotate()).statusCode).toBe(200);
    expect((await rotate()).statusCode).toBe(409);
    expect((await rotate(true)).statusCode).toBe(200);
  });
});

describe('POST /keys/{kid}/revoke', () => {
  const other = useApp({}, server);
  const REASON = { reason: 'a laptop was stolen' };
  const revoke = (kid: string, body: object = REASON) => server.operate('POST', `/keys/${kid}/revoke`, body);
  type Rotation = { current: string; next: string };
  const rotate = async () =>
    (await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true })).json<Rotation>();
  const statuses = async () => {
    const { items } = (await server.operate('GET', '/keys')).json<{ items: { kid: string; status: string }[] }>();
    return new Map(items.map(({ kid, status }) => [kid, status]));
  };

  it('the current key: the next one signs, and a token of before is good nowhere after a second', async () => {
    const { current, next } = await rotate();
    const { client_id, client_secret } = await newApplication(server);
    const tokenOf = async (at: typeof server) => {
      const payload = { client_id, client_secret };
      const answer = await at.call('POST', '/api/v1/auth/token', { payload });
      return answer.json<{ access_token: string }>().access_token;
    };
    const statusOf = async (at: typeof server, token: string) =>
      (await at.call('GET', '/api/v1/wallet', { headers: { authorization: `Bearer ${token}` } })).statusCode;
    server.clock.advance(1000);
    const token = await tokenOf(other);
    expect([await statusOf(server, token), await statusOf(other, token)]).toEqual([200, 200]);

    expect((await revoke(current)).json()).toMatchObject({ kid: current, status: 'REVOKED', verifies: false });
    expect(await statusOf(server, token)).toBe(401);
    server.clock.advance(1000);
    expect(await statusOf(other, token)).toBe(401);
    const after = await statuses();
    expect(after.get(next)).toBe('CURRENT');
    expect([...after.values()].filter((status) => status === 'NEXT')).toHaveLength(1);
    const anew = await tokenOf(other);
    expect([await statusOf(server, anew), await statusOf(other, anew)]).toEqual([200, 200]);
  });

  it('the next key: another one is next, and the current one signs on', async () => {
    const { current, next } = await rotate();
    expect((await revoke(next)).statusCode).toBe(200);
    const after = await statuses();
    expect([after.get(current), after.get(next)]).toEqual(['CURRENT', 'REVOKED']);
    expect([...after.values()].filter((status) => status === 'NEXT')).toHaveLength(1);
  });

  it('a retired key: nothing else changes', async () => {
    const { current } = await rotate();
    const after = await rotate();
    expect((await revoke(current)).statusCode).toBe(200);
    const now = await statuses();
    expect([now.get(current), now.get(after.current), now.get(after.next)]).toEqual(['REVOKED', 'CURRENT', 'NEXT']);
  });
});

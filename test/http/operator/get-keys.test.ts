import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();
const REASON = { reason: 'once a quarter' };
type Key = { kid: string; status: string; verifies: boolean; verifiesUntil?: string; retiredAt?: string };
const list = () => server.operate('GET', '/keys');
const published = async () => {
  const { keys } = (await server.call('GET', '/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>();
  return keys.map(({ kid }) => kid).toSorted();
};

describe('200', () => {
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

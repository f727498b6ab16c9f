import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';

const server = useApp();
const rotate = (immediately?: boolean) =>
  server.operate('POST', '/keys/rotate', { reason: 'once a quarter', immediately });

describe('200', () => {
  it('the key that was next signs, and a new next one is published', async () => {
    const first = (await rotate()).json<{ current: string; next: string }>();
    const second = await rotate(true);
    expect(second.statusCode).toBe(200);
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
});

describe('409', () => {
  it('until verifiers that keep what they fetched know the next key, unless it is said', async () => {
    await rotate(true);
    const { headers } = await server.call('GET', '/.well-known/jwks.json');
    const cachedS = Number(/max-age=(\d+)/.exec(String(headers['cache-control']))?.[1]);
    expect(cachedS).toBe(300);
    for (const advancedS of [0, cachedS - 1]) {
      server.clock.advance(advancedS * 1000);
      const refused = await rotate();
      expect([refused.statusCode, refused.json().errorCode]).toEqual([409, 'SIGNING_KEY_TOO_NEW']);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(cachedS);
    }
    server.clock.advance(1000);
    expect((await rotate()).statusCode).toBe(200);
    expect((await rotate()).statusCode).toBe(409);
    expect((await rotate(true)).statusCode).toBe(200);
  });
});

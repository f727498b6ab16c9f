import { describe, expect, it } from 'vitest';
import { rotateSigningKeys } from '#modules/signing-keys';
import { useApp } from '../../support/app.ts';

const server = useApp();
const read = () => server.call('GET', '/.well-known/jwks.json');

describe('200', () => {
  it('publishes the current key and the next one, by their public halves alone', async () => {
    const answer = await read();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const { keys } = answer.json<{ keys: Record<string, string>[] }>();
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
    }
  });

  it('publishes a retired key while its tokens may live, and no longer', async () => {
    const kids = async () => (await read()).json<{ keys: { kid: string }[] }>().keys.map(({ kid }) => kid);
    const before = await kids();
    await rotateSigningKeys(server.resources, {
      actor: 'operator:root',
      reason: 'a test asks for it',
      immediately: true,
    });
    server.clock.advance(60_000);
    expect(await kids()).toEqual(expect.arrayContaining(before));
    server.clock.advance((24 * 60 * 60 + 5) * 1000);
    const after = await kids();
    expect(after).toHaveLength(2);
    expect(after.filter((kid) => before.includes(kid))).toHaveLength(1);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newCustomer } from '../../support/onboarding.ts';

const server = useApp({ RATE_LIMIT_RESOLVES_PER_S: '40', TRUSTED_PROXIES: '10.0.0.1' });
beforeAll(() => server.clock.stop());
const resolve = (address: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  server.call('GET', `/api/v1/tags/${address}`, { remoteAddress, headers });

/** Spends the limit of an address on tags that nobody has. */
async function guess(remoteAddress: string, headers: Record<string, string> = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let miss = 0; miss < 3; miss++) {
    statuses.push((await resolve(`nobody-${miss}`, remoteAddress, headers)).statusCode);
  }
  return statuses;
}

describe('429', () => {
  it('stops who guesses tags after two misses in a second, also before one that is there', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    expect(await guess('203.0.113.1')).toEqual([404, 404, 429]);
    const refused = await resolve(paytag, '203.0.113.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toMatchObject({ success: false, data: null, errorCode: 'TOO_MANY_REQUESTS' });
    expect((await resolve(paytag, '203.0.113.2')).statusCode).toBe(200);
    server.clock.advance(1_000);
    expect((await resolve(paytag, '203.0.113.1')).statusCode).toBe(200);
  });

  it('lets through forty of those who know their tags', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    const answers = await Promise.all(Array.from({ length: 41 }, () => resolve(paytag, '203.0.113.3')));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(40).fill(200), 429]);
  });

  it('counts a whole IPv6 network as one address', async () => {
    const guesses = [];
    for (let host = 1; host <= 3; host++) guesses.push(await resolve('nobody', `2001:db8:1:2::${host}`));
    expect(guesses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 429]);
    expect((await resolve('nobody', '2001:db8:1:3::1')).statusCode).toBe(404);
  });

  it('counts the address that a trusted proxy tells of, and no other’s word', async () => {
    expect(await guess('10.0.0.1', { 'x-forwarded-for': '203.0.113.4' })).toContain(429);
    expect((await resolve('nobody', '10.0.0.1', { 'x-forwarded-for': '203.0.113.5' })).statusCode).toBe(404);
    expect(await guess('203.0.113.6', { 'x-forwarded-for': '203.0.113.7' })).toContain(429);
    expect((await resolve('nobody', '203.0.113.6', { 'x-forwarded-for': '203.0.113.8' })).statusCode).toBe(429);
  });
});

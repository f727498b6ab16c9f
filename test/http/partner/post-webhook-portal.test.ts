import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });
const ask = (headers: Record<string, string>) => server.call('POST', '/v2/partner/webhook/portal', { headers });

describe('200', () => {
  it('a link to pages of this server, that works for an hour', async () => {
    const { headers } = await server.newPartner();
    const now = server.clock.now().getTime();
    const answer = await ask(headers);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { url, expiresAt } = answer.json<{ url: string; expiresAt: string }>();
    expect(url).toMatch(/^https:\/\/pay\.example\.com\/webhooks\/open\/[\w-]+\.[\w-]+$/);
    const begun = new Date(expiresAt).getTime() - 3_600_000;
    expect(begun).toBeGreaterThanOrEqual(now);
    expect(begun).toBeLessThanOrEqual(server.clock.now().getTime());
    expect((await server.call('GET', new URL(url).pathname)).statusCode).toBe(200);
  });
});

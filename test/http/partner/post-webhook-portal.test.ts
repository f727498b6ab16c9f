import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { refusalOf } from '../../support/refusals.ts';

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

it('401: without credentials; 403: of a partner that is suspended', async () => {
  expect(refusalOf(await ask({}))).toEqual([401, 'INVALID_CREDENTIALS']);
  const { id, headers } = await server.newPartner();
  await server.operate('POST', `/partners/${id}/suspend`, { reason: 'a complaint' });
  expect(refusalOf(await ask(headers))).toEqual([403, 'PARTNER_SUSPENDED']);
});

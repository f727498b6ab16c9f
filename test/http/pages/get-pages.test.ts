import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });

describe('200', () => {
  it('a browser reads what this is, which environment, and where to go', async () => {
    const answer = await server.call('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const banner = 'This is a sandbox: nothing here is real money. Where a one-time code is asked for, it is 123456.';
    expect(answer.body).toContain(banner);
    for (const [, link] of answer.body.matchAll(/href="([^"]+)"/g)) {
      expect([link, (await server.call('GET', String(link))).statusCode]).toEqual([link, 200]);
    }
  });

  it('a program gets the same as JSON, with addresses that answer', async () => {
    const answer = await server.call('GET', '/', { headers: { accept: 'application/json' } });
    const { documentation, openapi, oauth, ...rest } = answer.json();
    expect(rest).toEqual({ name: 'PayTag', version: expect.stringMatching(/^\d+\.\d+\.\d+/), environment: 'sandbox' });
    for (const address of [documentation, openapi.partner, openapi.switch, oauth]) {
      const { origin, pathname } = new URL(address);
      expect(origin).toBe('https://pay.example.com');
      expect([address, (await server.call('GET', pathname)).statusCode]).toEqual([address, 200]);
    }
    expect(answer.headers['vary']).toBe('Accept');
  });
});

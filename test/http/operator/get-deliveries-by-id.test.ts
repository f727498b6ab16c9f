import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimDeliveries, recordAttempts } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp();
const get = (id: string) => server.operate('GET', `/deliveries/${id}`);

describe('200', () => {
  it('shows the attempts one by one', async () => {
    const { partner, wallet } = await partnerWithEvents(server);
    const [listed] = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json().items;
    const waiting = await get(listed.id);
    expect(waiting.statusCode).toBe(200);
    const { request, ...delivery } = waiting.json();
    expect(delivery).toEqual({ ...listed, attempts: [] });
    expect(JSON.parse(request.body)).toMatchObject({ event: 'wallet.debited', reference: wallet });
    expect(request.headers).toMatchObject({ 'webhook-id': listed.eventId, 'content-type': 'application/json' });
    const mac = createHmac('sha512', partner.headers['x-client-id']).update(request.body).digest('hex');
    expect(request.signatures).toMatchObject({
      'R-Signature': mac,
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    const { operate } = await newOperator(server, 'support');
    const masked = (await operate('GET', `/deliveries/${listed.id}`)).json().request;
    expect(masked.signatures['R-Signature']).toBe(`${'*'.repeat(124)}${mac.slice(-4)}`);
    await endAll(server.resources.pool, 'status 502');
    expect((await get(listed.id)).json()).toMatchObject({
      id: listed.id,
      event: 'wallet.debited',
      reference: wallet,
      ownerId: partner.id,
      status: 'FAILED',
      lastError: 'status 502',
      attempts: [
        { number: 1, at: expect.any(String), url: 'http://127.0.0.1:9/hooks', durationMs: 1, error: 'status 502' },
      ],
    });
  });
});

describe('where its attempts went', () => {
  it('is said of each, also when its receiver has moved since, and moves back', async () => {
    const { partner } = await partnerWithEvents(server);
    const [{ id }] = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json().items;
    const first = 'http://127.0.0.1:9/hooks';
    const second = 'http://127.0.0.1:9/elsewhere';
    const move = async (url: string) => {
      const moved = await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload: { url } });
      expect(moved.statusCode).toBe(200);
    };
    const attempt = async () => {
      await server.owner.query('update webhooks.delivery set due_at = now(), leased_until = null where id = $1', [id]);
      const { pool } = server.resources;
      const given = { limit: 100, perReceiver: 100, inFlight: new Map(), leaseMs: 30_000 };
      const { claimed } = await claimDeliveries(pool, given);
      const ended = { status: 'PENDING', error: 'status 503', retryInMs: 60_000, statusCode: 503 } as const;
      const results = claimed.map(({ deliveryId, number }) => {
        return { ...ended, deliveryId, number, durationMs: 1, response: null };
      });
      await recordAttempts(pool, results);
    };
    const urls = async () => {
      const { attempts } = (await get(id)).json<{ attempts: { url?: string }[] }>();
      return attempts.map(({ url }) => url);
    };
    await attempt();
    expect(await urls()).toEqual([first]);
    await move(second);
    expect(await urls()).toEqual([first]);
    await attempt();
    expect(await urls()).toEqual([first, second]);
    await move(first);
    expect(await urls()).toEqual([first, second]);
    const own = await server.call('GET', `/v2/partner/webhook/deliveries/${id}`, { headers: partner.headers });
    expect(own.json().attempts.map(({ url }: { url: string }) => url)).toEqual([first, second]);
  });
});

import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { newOperator } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

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
      attempts: [{ number: 1, at: expect.any(String), durationMs: 1, error: 'status 502' }],
    });
  });
});

describe('400', () => {
  it('an invalid id', async () => {
    expect(refusalOf(await get('7'))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('an unknown delivery', async () => {
    expect(refusalOf(await get(NOBODY))).toEqual([404, 'DELIVERY_NOT_FOUND']);
  });
});

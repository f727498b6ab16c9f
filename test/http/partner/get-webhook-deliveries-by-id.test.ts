import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { NOBODY, partnersWithFailures, seeDeliveries } from '../../support/webhook-self-service.ts';

const server = useSharedApp();

describe('200', () => {
  it('with each attempt', async () => {
    const { partner } = await partnersWithFailures(server);
    const [{ id }] = (await seeDeliveries(server, partner)).json().items;
    const answer = await seeDeliveries(server, partner, `/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, attempts: [{ number: 1, error: 'status 500', durationMs: 1 }] });
  });
});

describe('400', () => {
  it('an invalid id', async () => {
    const answer = await seeDeliveries(server, await server.newPartner(), '/7');
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('unknown, and another partner’s: the same answer', async () => {
    const { partner, other } = await partnersWithFailures(server);
    const [{ id }] = (await seeDeliveries(server, other)).json().items;
    const unknown = await seeDeliveries(server, partner, `/${NOBODY}`);
    const theirs = await seeDeliveries(server, partner, `/${id}`);
    const { timestamp: _t, requestId: _r, ...failure } = unknown.json();
    expect(failure.errorCode).toBe('DELIVERY_NOT_FOUND');
    expect([unknown.statusCode, theirs.statusCode]).toEqual([404, 404]);
    expect(theirs.json()).toMatchObject(failure);
  });
});
